#!/usr/bin/env python3
"""Summarise web server log lines: status codes, top paths, slow requests."""
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Iterable, Iterator, Optional

LOG = """\
10.2.0.4 - - [03/Mar/2031:06:12:01 +0000] "GET /api/patients?page=2 HTTP/1.1" 200 5123 0.120
10.2.0.9 - kim [03/Mar/2031:06:12:04 +0000] "POST /api/orders HTTP/1.1" 201 312 0.431
10.2.0.4 - - [03/Mar/2031:06:12:09 +0000] "GET /static/app.js HTTP/1.1" 304 0 0.002
10.2.0.7 - - [03/Mar/2031:06:13:44 +0000] "GET /api/patients/77 HTTP/1.1" 404 98 0.015
this line is broken
10.2.0.9 - kim [03/Mar/2031:06:14:10 +0000] "DELETE /api/orders/5 HTTP/1.1" 500 45 2.708
"""

PATTERN = re.compile(
    r'(?P<ip>\S+) - (?P<user>\S+) \[(?P<when>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>\S+) [^"]+" '
    r"(?P<status>\d{3}) (?P<size>\d+) (?P<seconds>[\d.]+)"
)


@dataclass(frozen=True, slots=True)
class Entry:
    ip: str
    user: Optional[str]
    when: datetime
    method: str
    path: str
    status: int
    size: int
    seconds: float

    @classmethod
    def from_line(cls, line: str) -> "Entry":
        match = PATTERN.match(line)
        if match is None:
            raise ValueError(f"cannot parse: {line!r}")
        fields = match.groupdict()
        return cls(
            ip=fields["ip"],
            user=None if fields["user"] == "-" else fields["user"],
            when=datetime.strptime(fields["when"], "%d/%b/%Y:%H:%M:%S %z"),
            method=fields["method"],
            path=fields["path"].split("?")[0],
            status=int(fields["status"]),
            size=int(fields["size"]),
            seconds=float(fields["seconds"]),
        )


def entries(lines: Iterable[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, start=1):
        try:
            yield Entry.from_line(line)
        except ValueError as exc:
            print(f"warning: line {number}: {exc}", file=sys.stderr)


def main() -> int:
    found = list(entries(LOG.splitlines()))
    by_status = Counter(f"{e.status // 100}xx" for e in found)
    by_path = defaultdict(list)
    for e in found:
        by_path[e.path].append(e.seconds)
    print(f"{len(found)} requests, {sum(e.size for e in found):,} bytes")
    for status, count in sorted(by_status.items()):
        print(f"  {status}: {count} ({count / len(found):.0%})")
    slowest = max(found, key=lambda e: e.seconds)
    print("slowest:", slowest.method, slowest.path, slowest.seconds)
    for path, times in sorted(by_path.items(), key=lambda kv: (-max(kv[1]), kv[0])):
        print(f"{path:<24}{max(times):>8.3f}")
    print(Entry.__name__, Entry.__slots__ if hasattr(Entry, "__slots__") else None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
