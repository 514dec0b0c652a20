import re
from collections import defaultdict
from datetime import datetime

LOG = """\
2024-03-01 10:00:01,120 INFO  auth: user=alice action=login ip=10.0.0.5
2024-03-01 10:00:03,004 ERROR db: timeout after 3000ms query="SELECT 1"
2024-03-01 10:02:11,500 WARN  auth: user=bob action=login_failed ip=10.0.0.9
2024-03-01 10:05:45,999 INFO  web: GET /index.html 200 12ms
not a log line
2024-03-01 10:06:00,001 ERROR web: GET /api 500 1503ms
"""

PATTERN = re.compile(
    r"^(?P<ts>\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2},\d{3})\s+(?P<level>[A-Z]+)\s+(?P<module>\w+):\s+(?P<message>.*)$"
)


def parse(lines):
    for number, line in enumerate(lines, 1):
        m = PATTERN.match(line)
        if m is None:
            print(f"line {number}: skipped {line!r}")
            continue
        entry = m.groupdict()
        entry["ts"] = datetime.strptime(entry["ts"], "%Y-%m-%d %H:%M:%S,%f")
        entry["fields"] = dict(re.findall(r'(\w+)=("[^"]*"|\S+)', entry["message"]))
        yield entry


entries = list(parse(LOG.splitlines()))
by_level = defaultdict(list)
for e in entries:
    by_level[e["level"]].append(e)
for level in sorted(by_level):
    print(level, len(by_level[level]), [e["module"] for e in by_level[level]])
print(entries[0]["fields"])
gaps = [(b["ts"] - a["ts"]).total_seconds() for a, b in zip(entries, entries[1:])]
print("largest gap: %.3f s" % max(gaps))
latencies = [int(ms) for ms in re.findall(r"(\d+)ms", LOG)]
print("latencies:", latencies, "mean:", sum(latencies) / len(latencies))
