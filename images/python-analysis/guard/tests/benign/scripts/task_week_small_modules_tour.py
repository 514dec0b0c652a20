import copy, pprint, reprlib, weakref, gc, types, operator, array, enum, numbers, locale, sys, difflib, fnmatch, statistics as st, math, cmath, random, fractions
tree = {"root": {"kids": [{"n": i, "kids": []} for i in range(3)], "name": "x" * 30}, "list": list(range(25))}
pprint.pprint(tree, width=60, compact=True); print(pprint.pformat({"b": 1, "a": 2}, sort_dicts=False), reprlib.repr(list(range(100))))
c = copy.deepcopy(tree); c["root"]["kids"][0]["n"] = 99; s = copy.copy(tree); print(tree["root"]["kids"][0]["n"], s["root"] is tree["root"])
class Node:
    def __init__(self, v, parent=None): self.v = v; self.parent = weakref.ref(parent) if parent else None; self.kids = []
    def add(self, v): k = Node(v, self); self.kids.append(k); return k
    def __del__(self): log.append(self.v)
    def __copy__(self): return Node(self.v)
log = []; n = Node("a"); k = n.add("b"); print(k.parent().v, weakref.getweakrefcount(n)); del n; gc.collect(); print(k.parent(), log); wd = weakref.WeakValueDictionary(); wd["k"] = k; print(len(wd))
class Perm(enum.Flag): R = enum.auto(); W = enum.auto(); X = enum.auto(); RW = R | W
class Size(enum.IntEnum): S = 1; L = 3
class Color(enum.StrEnum): RED = enum.auto(); BLUE = "b"
@enum.unique
class Planet(enum.Enum):
    A = (1.0, 2); B = (3.0, 4)
    def __init__(self, mass, rad): self.mass, self.rad = mass, rad
    @property
    def g(self): return self.mass / self.rad ** 2
    @classmethod
    def _missing_(cls, v): return cls.A
print(Perm.R | Perm.X, Perm.RW in (Perm.RW,), Perm(3), Perm.W in Perm.RW, Size.L > Size.S, Color.RED, f"{Color.BLUE}", Planet.B.g, Planet("zz"), [p.name for p in Planet], Size(3).name, Planet.__members__.keys())
print("\n".join(difflib.unified_diff("a\nb\nc".split(), "a\nx\nc".split(), "old", "new", lineterm="")), difflib.get_close_matches("harbr", ["harbour", "arbor", "bar"]), round(difflib.SequenceMatcher(None, "tide", "tidal").ratio(), 3))
print(st.median([3, 1, 2]), st.mode("aab"), st.pstdev([1, 2, 3]).__round__(4), st.correlation([1, 2, 3], [2, 4, 7]).__round__(4), st.linear_regression([1, 2, 3], [2, 4, 6]).slope, st.NormalDist(10, 2).cdf(12).__round__(4), math.comb(9, 4), math.gcd(84, 36), math.lcm(4, 6), math.isqrt(99), cmath.polar(1j), fractions.Fraction(0.375).limit_denominator(10), math.prod([2, 3]), math.fsum([0.1] * 10), math.nan != math.nan, math.degrees(math.pi), math.factorial(20))
a = array.array("i", [1, 2, 3]); a.extend([4]); print(a, a.itemsize, a.tobytes()[:4], isinstance(3, numbers.Integral), types.SimpleNamespace(a=1), types.MappingProxyType({"a": 1})["a"], operator.methodcaller("upper")("x"), operator.attrgetter("real")(3))
r = random.Random("seed"); print(r.sample(range(100), 3), r.choices("ab", weights=[9, 1], k=4), r.shuffle(l := [1, 2, 3, 4]) or l, r.randint(1, 6), round(r.gauss(0, 1), 4), r.getstate()[0])
try: types.MappingProxyType({})["x"] = 1
except TypeError as e: print(e)
print(sys.intern("a") is sys.intern("a"), hash("a") == hash("a"), id(tree) == id(tree), sorted([3, "a", 2.5], key=str), sorted("bA", key=str.lower), min([], default=None), any([]), all([]), divmod(-7, 3), round(2.5), round(-1.567, 1), pow(3, -1, 7), 7 // -2, -7 % 3, 0.1 + 0.2, 1e16 + 1, float("inf") > 1, int("0x1f", 16), chr(9731), ord("é"), ascii("é"), bool("False"), 5 .bit_length())
