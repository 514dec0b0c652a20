import numpy as np
import pandas as pd

df = pd.DataFrame({
    "name": ["Ann", "Bob", "Cy", "Di", "Ed"],
    "dept": ["IT", "HR", "IT", "Ops", "HR"],
    "salary": [5200, 4100, 6100, 3900, np.nan],
    "hired": pd.to_datetime(["2019-03-01", "2020-07-15", "2018-01-10", "2021-11-30", "2022-02-01"]),
})
df.info()
print(df.head(2), df.dtypes.to_dict(), df.shape, sep="\n")
df["salary"] = df["salary"].fillna(df["salary"].median())
df["year"] = df["hired"].dt.year
df.loc[df["dept"] == "IT", "bonus"] = df["salary"] * 0.1
df["grade"] = df["salary"].apply(lambda s: "high" if s > 5000 else "low")
print(df.sort_values(["dept", "salary"], ascending=[True, False]).to_string(index=False))
print(df.groupby("dept")["salary"].agg(["mean", "max", "count"]))
print(df.groupby("dept").apply(lambda g: g.nlargest(1, "salary")["name"].iloc[0], include_groups=False).to_dict())
print(df["dept"].value_counts().to_dict(), df["name"].str.upper().tolist(), df.set_index("name").loc["Bob", "salary"])
print(df.query("salary > 4000 and dept != 'Ops'")["name"].tolist(), df.iloc[1:3, :2].values.tolist())
bonus = pd.DataFrame({"dept": ["IT", "Ops", "Law"], "budget": [10, 20, 30]})
print(df.merge(bonus, on="dept", how="left")[["name", "budget"]].to_dict("records"))
print(pd.concat([df[["name"]], df[["year"]]], axis=1).T.iloc[:, 0].tolist(), df.describe().loc["mean", "salary"])
print(df.pivot_table(index="dept", columns="grade", values="salary", aggfunc="sum", fill_value=0))
df.to_csv("people.csv", index=False)
print(pd.read_csv("people.csv", parse_dates=["hired"]).dtypes.astype(str).to_dict())
for row in df.itertuples():
    print(row.Index, row.name, row.salary)
for idx, row in df.head(1).iterrows():
    print(idx, row["name"])
