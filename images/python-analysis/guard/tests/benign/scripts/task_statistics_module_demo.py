import statistics as st
import math

data = [2.5, 3.1, 2.5, 4.0, 3.8, 2.9, 3.3, 10.2]
print(f"mean={st.mean(data):.3f} fmean={st.fmean(data):.3f} median={st.median(data)} mode={st.mode(data)}")
print(f"stdev={st.stdev(data):.4f} pstdev={st.pstdev(data):.4f} var={st.variance(data):.4f}")
print("quartiles:", [round(q, 3) for q in st.quantiles(data, n=4)], "inclusive:", st.quantiles(data, n=4, method="inclusive"))
print("geometric:", round(st.geometric_mean(data), 4), "harmonic:", round(st.harmonic_mean(data), 4))
print("low/high median:", st.median_low(data), st.median_high(data), st.multimode("aabbc"))

x = [1, 2, 3, 4, 5]
y = [2.1, 3.9, 6.2, 7.8, 10.1]
slope, intercept = st.linear_regression(x, y)
print(f"y = {slope:.3f}x + {intercept:.3f}, r = {st.correlation(x, y):.4f}, cov = {st.covariance(x, y):.3f}")

nd = st.NormalDist(100, 15)
print(f"P(X<130)={nd.cdf(130):.4f}  90th percentile={nd.inv_cdf(0.9):.2f}  z={nd.zscore(85):.1f}")
print(nd + st.NormalDist(10, 8), st.NormalDist.from_samples(data).mean)


def trimmed_mean(values, p):
    k = int(len(values) * p)
    return st.mean(sorted(values)[k : len(values) - k])


def mad(values):
    m = st.median(values)
    return st.median(abs(v - m) for v in values)


print("trimmed:", round(trimmed_mean(data, 0.125), 3), "MAD:", round(mad(data), 3))
print("outliers:", [v for v in data if abs(v - st.median(data)) / (1.4826 * mad(data)) > 3])
try:
    st.mean([])
except st.StatisticsError as e:
    print(e)
