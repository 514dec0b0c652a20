import pandas as pd
import re

raw = pd.DataFrame({
    "Full Name ": ["  john SMITH", "Mary-Ann  o'neil ", "BOB lee", None],
    "Phone": ["(555) 123-4567", "555.987.6543", "5551112222", "n/a"],
    "Amount": ["$1,200.50", "€300", "(45.10)", ""],
    "Tags": ["a;b", "b", "", "c;a;b"],
})
df = raw.rename(columns=lambda c: re.sub(r"\W+", "_", c.strip().lower()))
df["full_name"] = df["full_name"].str.strip().str.replace(r"\s+", " ", regex=True).str.title()
df[["first", "last"]] = df["full_name"].str.split(" ", n=1, expand=True)
digits = df["phone"].str.replace(r"\D", "", regex=True)
df["phone"] = digits.where(digits.str.len() == 10).str.replace(r"(\d{3})(\d{3})(\d{4})", r"\1-\2-\3", regex=True)
negative = df["amount"].str.startswith("(")
df["amount"] = pd.to_numeric(df["amount"].str.replace(r"[^\d.]", "", regex=True), errors="coerce").where(~negative, lambda s: -s)
print(df.to_string())
print(df["tags"].str.get_dummies(sep=";"))
exploded = df.assign(tags=df["tags"].str.split(";")).explode("tags").query("tags != ''")
print(exploded.groupby("tags")["amount"].sum())
print(df["full_name"].str.extract(r"^(?P<initial>\w).*\s(?P<surname>\S+)$"))
print(df["last"].str.len().fillna(0).astype(int).tolist(), df["first"].str[0].tolist(), df["full_name"].str.contains("lee", case=False, na=False).tolist())
print(df.isna().sum().to_dict(), df["phone"].str.cat(sep="|", na_rep="-"))
