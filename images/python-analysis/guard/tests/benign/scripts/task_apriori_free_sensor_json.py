import json
import math
from pathlib import Path
from statistics import fmean, pstdev

raw = [{"sensor": f"s{i % 3}", "t": i, "value": round(20 + 5 * math.sin(i / 5) + (i % 3), 2) if i % 17 else None} for i in range(60)]
path = Path("readings.jsonl")
path.write_text("\n".join(json.dumps(r) for r in raw) + "\n")

sensors = {}
with path.open() as f:
    for line in f:
        r = json.loads(line)
        sensors.setdefault(r["sensor"], []).append((r["t"], r["value"]))


def fill(series):
    known = [(t, v) for t, v in series if v is not None]
    for t, v in series:
        if v is None:
            before = max((k for k in known if k[0] < t), default=None)
            after = min((k for k in known if k[0] > t), default=None)
            if before and after:
                w = (t - before[0]) / (after[0] - before[0])
                v = before[1] * (1 - w) + after[1] * w
            else:
                v = (before or after)[1]
        yield t, v


report = {}
for name, series in sorted(sensors.items()):
    values = [v for _, v in fill(series)]
    m, s = fmean(values), pstdev(values)
    report[name] = {"n": len(values), "missing": sum(v is None for _, v in series), "mean": round(m, 3), "sd": round(s, 3),
                    "alarms": [t for t, v in fill(series) if abs(v - m) > 1.6 * s]}
print(json.dumps(report, indent=2))
Path("report.json").write_text(json.dumps(report))
print(sorted(p.name for p in Path(".").iterdir()), path.stat().st_size)
