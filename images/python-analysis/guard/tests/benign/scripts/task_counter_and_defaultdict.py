from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

c = Counter("mississippi")
print(c.most_common(2), c["z"], sum(c.values()), sorted(c.elements())[:4])
print(Counter(a=3, b=1) + Counter(a=1, b=2), Counter(a=3, b=1) - Counter(a=1, b=2), Counter(a=3) & Counter(a=1))
c.subtract("miss")
print(dict(c), +c)

groups = defaultdict(lambda: defaultdict(list))
for name, dept, year in [("ann", "it", 2020), ("bob", "hr", 2021), ("cy", "it", 2021), ("di", "it", 2020)]:
    groups[dept][year].append(name)
print({k: dict(v) for k, v in groups.items()})

d = deque([1, 2, 3], maxlen=4)
d.append(4); d.append(5); d.appendleft(0); d.rotate(1)
print(d, d.maxlen, d.count(4))

Point = namedtuple("Point", ["x", "y", "z"], defaults=[0])
p = Point(1, 2)
print(p, p._replace(x=9), p._asdict(), Point._fields, *p)

od = OrderedDict.fromkeys("abc")
od.move_to_end("a")
print(list(od), od.popitem(last=False))
settings = ChainMap({"debug": True}, {"debug": False, "level": 3})
print(settings["debug"], settings["level"], settings.maps[1], dict(settings.new_child({"x": 1})))
