import json
from datetime import date, datetime

summary = {"study": "S1", "n": int(len(patients)), "mean_age": round(float(patients["age"].mean()), 2), "sites": sorted(patients["site"].unique()), "when": date(2024, 1, 5), "nested": {"a": [1, None, True, 1.5e-3]}}

class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, (date, datetime)):
            return o.isoformat()
        return super().default(o)

text = json.dumps(summary, indent=2, sort_keys=True, cls=Encoder, ensure_ascii=False)
print(text)
with open(OUTPUT / "summary.json", "w", encoding="utf-8") as file:
    json.dump(summary, file, default=str)
with open(OUTPUT / "summary.json", encoding="utf-8") as file:
    back = json.load(file)
print(back["when"], back == json.loads(json.dumps(summary, default=str)))
rows = [json.loads(line) for line in (DATA / "events.jsonl").read_text().splitlines()]
print(len(rows), sorted(rows[0]))
try:
    json.loads("{bad}")
except json.JSONDecodeError as error:
    print(error.lineno, error.colno, error.msg)
print(json.loads("[1.10]", parse_float=str), json.loads('{"a": 1}', object_hook=lambda d: list(d.items())))
patients.head(2).to_json(OUTPUT / "p.json", orient="records", indent=1)
print(patients.head(1).to_json(orient="split"))
