import numpy as np

def iqr_bounds(series, k=1.5):
    """Tukey's fences."""
    q1, q3 = series.quantile([0.25, 0.75])
    return q1 - k * (q3 - q1), q3 + k * (q3 - q1)

for column in ("sbp", "dbp", "hr", "weight"):
    low, high = iqr_bounds(visits[column].dropna())
    outside = visits[(visits[column] < low) | (visits[column] > high)]
    print(f"{column:<8}{low:>8.1f}{high:>8.1f}{len(outside):>5d} ({len(outside) / len(visits):.1%})")
clipped = visits["sbp"].clip(*iqr_bounds(visits["sbp"]))
print(np.isclose(clipped.max(), iqr_bounds(visits["sbp"])[1]) or clipped.max() < 300)
mad = (visits["sbp"] - visits["sbp"].median()).abs().median()
print(round(float(mad), 3))
