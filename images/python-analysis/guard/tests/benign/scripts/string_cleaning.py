import re
import pandas as pd

text = notes["note"].str.strip().str.lower().str.replace(r"\s+", " ", regex=True)
print(text.str.contains("pain|ache").sum())
doses = text.str.extractall(r"(?P<drug>[a-z]+) (?P<dose>\d+(?:\.\d+)?) ?(?P<unit>mg|ml)")
doses["dose"] = doses["dose"].astype(float)
print(doses.groupby("drug")["dose"].agg(["count", "mean"]).round(2))
words = text.str.split().explode()
print(words.value_counts().head(8).to_dict())
print(text.str.len().describe()[["min", "max"]].to_dict())
pattern = re.compile(r"\b(?P<hi>\d{2,3})\s*/\s*(?P<lo>\d{2,3})\b")
pressures = [(int(m["hi"]), int(m["lo"])) for m in map(pattern.search, text) if m]
print(pressures[:4], len(pressures))
print(re.sub(r"(\d+)", lambda m: f"<{int(m[1]) * 2}>", "take 5 or 10"))
print(pd.Series(["Ünïté", "naïve"]).str.normalize("NFKD").str.encode("ascii", "ignore").str.decode("ascii").tolist())
print("; ".join(text.str.title().str.slice(0, 12).head(3)))
