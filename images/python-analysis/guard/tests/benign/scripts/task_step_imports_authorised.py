import math, random, re, statistics, time, datetime, collections, itertools, json, functools, string
import os.path
from collections import Counter, defaultdict, OrderedDict, deque, namedtuple
from datetime import date, timedelta
from math import pi, sqrt
print(math.floor(pi * 100), sqrt(16), math.gcd(12, 18))
random.seed(3); print(random.randint(1, 10) in range(1, 11))
print(re.findall(r"\d+", "a1b22"), re.sub(r"(\w)(\d)", r"\2\1", "a1b2"), re.match(r"(?P<y>\d{4})", "2024-01").groupdict())
print(statistics.stdev([1, 2, 3]), Counter("banana").most_common(1), (date(2024, 3, 1) - timedelta(days=1)).isoformat())
print(json.dumps({"a": [1, None, True]}), json.loads('{"x": 1.5}')["x"], functools.reduce(lambda a, b: a * b, [1, 2, 3]))
P = namedtuple("P", "x y"); print(P(1, 2)._asdict(), string.ascii_uppercase[:3], deque([1, 2], maxlen=1))
dd = defaultdict(list); dd["a"].append(1); print(dict(dd), os.path.join("a", "b"), list(itertools.combinations("abc", 2)))
print(time.time() > 0, datetime.datetime(2024, 1, 2).strftime("%d/%m/%y"))
