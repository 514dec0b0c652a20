import re
import unicodedata
from collections import Counter
import pandas as pd

n = notes.copy()
s = n["note"].str.strip().str.replace(r"\s+", " ", regex=True)
n["bp"] = s.str.extract(r"BP\s*(\d{2,3}\s*/\s*\d{2,3})", expand=False).str.replace(" ", "")
n[["sys", "dia"]] = n["bp"].str.split("/", expand=True).astype(float)
drug = s.str.extractall(r"(?P<drug>aspirin|metformin|ibuprofen)\s+(?P<dose>\d+)\s*mg", flags=re.I)
print(drug.reset_index(level="match", drop=True).assign(dose=lambda d: d.dose.astype(int)).groupby("drug").dose.agg(["count", "mean"]))
n["stopped"] = s.str.contains(r"\bstopped\b", case=False, na=False)
n["words"] = s.str.count(r"\w+")
n["first"] = s.str.split().str[0].str.lower().str.rstrip(".,")
print(n.drop(columns="note").head(3), n["first"].value_counts().to_dict())
print(s.str.len().describe().round(1).to_dict(), s.str.title().iloc[0][:20], s.str.partition(";")[0].str.slice(0, 15).iloc[0], s.str.find("mg").max(), s.str.startswith(("Patient", "No")).sum())
print(n["patient_id"].str.removeprefix("P").str.zfill(5).iloc[0], n["patient_id"].str.pad(6, fillchar="_").iloc[1], n["patient_id"].str.cat(n["first"], sep="-").iloc[2], s.str.findall(r"\d+").str.len().sum(), s.str.get_dummies(sep=" ").shape[1] > 5)
def redact(t):
    t = re.sub(r"\b\d{1,3}\s*/\s*\d{1,3}\b", "<bp>", t)
    return re.sub(r"(?<=\s)\d+(?=\s?mg)", lambda m: "#" * len(m.group()), t)
print(s.map(redact).unique().tolist()[:2])
messy = pd.Series(["  Müller,  Anna", "O’Neill, SEÁN ", "de la Cruz, José", None, "N/A"])
clean = (messy.replace({"N/A": None}).str.strip().str.normalize("NFKD").str.encode("ascii", "ignore").str.decode("ascii").str.casefold().str.replace(r"[^a-z, ]", "", regex=True))
print(clean.tolist(), clean.str.split(r",\s*", regex=True, n=1, expand=True).rename(columns={0: "last", 1: "given"}).fillna("").to_dict("list"))
print([unicodedata.name(c) for c in "éß"], Counter("".join(s).lower()).most_common(3), s.str.translate(str.maketrans("aeiou", "*****")).iloc[1][:12], s.str.wrap(20).iloc[0].count("\n"))
codes = pd.Series(["I21.0", "i 21", "E11.65", "Z99", "bad"])
icd = codes.str.upper().str.replace(" ", "").str.extract(r"^(?P<chapter>[A-Z])(?P<num>\d{2})(?:\.(?P<sub>\d+))?$")
print(icd.fillna("-").agg("".join, axis=1).tolist(), codes.str.fullmatch(r"[A-Z]\d{2}(\.\d+)?").tolist(), codes[codes.str.isalpha()].tolist())
st = s.astype("string")
print(st.dtype, st.str.len().dtype, st.isna().sum(), (st + "!").iloc[0][-1], st.str.upper().eq(s.str.upper()).all(), st.str.contains("pain").dtype)
exp = n.assign(tok=s.str.lower().str.findall("[a-z]{4,}")).explode("tok").groupby("tok").patient_id.nunique().nlargest(4)
print(exp.to_dict())
