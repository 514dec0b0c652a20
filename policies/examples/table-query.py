# The table award_data is there as a DataFrame, and pd, np, math, re, json, datetime and more by their
# names: there is no import statement. The answer is what is printed.
by_year = award_data.groupby("year")["amount"].agg(["count", "sum"])
for year, row in by_year.iterrows():
    print(year, int(row["count"]), f"{row['sum'] / 1e6:.2f} M")
