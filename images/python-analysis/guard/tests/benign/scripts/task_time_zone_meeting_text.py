from datetime import datetime, timedelta, timezone
import locale
import re

ISO = ["2024-03-10T01:30:00-05:00", "2024-03-10T06:45:00Z", "2024-03-10 07:00:00+01:00"]
parsed = [datetime.fromisoformat(s.replace("Z", "+00:00")) for s in ISO]
for p in sorted(parsed):
    print(p.astimezone(timezone.utc).strftime("%H:%M UTC"), p.tzinfo, p.weekday())


def humanise(delta):
    seconds = int(abs(delta.total_seconds()))
    for unit, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            n = seconds // size
            text = f"{n} {unit}{'s' if n != 1 else ''}"
            return f"{text} ago" if delta.total_seconds() < 0 else f"in {text}"
    return "now"


def parse_duration(text):
    units = {"d": "days", "h": "hours", "m": "minutes", "s": "seconds"}
    return timedelta(**{units[u]: float(n) for n, u in re.findall(r"(\d+(?:\.\d+)?)\s*([dhms])", text)})


for d in (timedelta(days=3), timedelta(hours=-5), timedelta(minutes=1), timedelta()):
    print(humanise(d))
print(parse_duration("1d 2h 30m"), parse_duration("90s").total_seconds(), parse_duration("1.5h") // timedelta(minutes=7))
fmt = ["%d/%m/%Y", "%Y.%m.%d", "%B %d, %Y", "%d %b %y"]
for text in ("25/12/2023", "2023.12.25", "December 25, 2023", "25 Dec 23", "25th of Dec"):
    for f in fmt:
        try:
            print(f"{text!r} -> {datetime.strptime(text, f).date()}")
            break
        except ValueError:
            continue
    else:
        print(f"{text!r} -> unknown format")
print(locale.getlocale()[0] is None or isinstance(locale.getlocale()[0], str))
start = datetime(2024, 1, 1)
print([(start + timedelta(days=30 * i)).strftime("%j/%U") for i in range(3)], datetime.min.year, datetime(2024, 5, 5).timetuple().tm_yday)
