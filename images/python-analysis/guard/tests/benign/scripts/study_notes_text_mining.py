"""Extract drugs, doses and blood pressures from free-text notes."""
import re
from collections import Counter

import pandas as pd

DRUG = re.compile(r"\b(?P<drug>aspirin|metformin|ibuprofen)\s+(?P<dose>\d+)\s*(?P<unit>mg|g)\b", re.IGNORECASE)
BP = re.compile(r"BP\s*(\d{2,3})\s*/\s*(\d{2,3})")
NEGATION = ("stopped", "no ", "denies")


def parse_note(text: str) -> dict:
    record = {"drug": None, "dose_mg": None, "sbp": None, "dbp": None, "stopped": False}
    if match := DRUG.search(text):
        record["drug"] = match["drug"].lower()
        record["dose_mg"] = int(match["dose"]) * (1000 if match["unit"] == "g" else 1)
        before = text[: match.start()].lower()
        record["stopped"] = any(word in before for word in NEGATION[:1])
    if match := BP.search(text):
        record["sbp"], record["dbp"] = map(int, match.groups())
    return record


parsed = pd.DataFrame([parse_note(t) for t in notes["note"]], index=notes["patient_id"])
print(parsed["drug"].value_counts(dropna=False).sort_index().to_string())
print(parsed.groupby("drug")[["dose_mg"]].agg(["min", "max"]))
print("stopped:", int(parsed["stopped"].sum()), "with BP:", int(parsed["sbp"].notna().sum()))

extracted = notes["note"].str.extract(r"(\d+)\s?mg", expand=False).astype("Int64")
assert (extracted.dropna() == parsed.reset_index().loc[extracted.notna(), "dose_mg"].astype("Int64")).all()
words = Counter(w for t in notes["note"].str.lower() for w in re.findall(r"[a-z]{5,}", t))
print(words.most_common(6))
clean = notes["note"].str.replace(r"\s+", " ", regex=True).str.strip().str.lower()
print(clean.str.contains("pain|ache").mean().round(3), clean.str.len().describe().round(1).to_dict())
