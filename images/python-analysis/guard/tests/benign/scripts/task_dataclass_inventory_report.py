from dataclasses import dataclass, field, KW_ONLY, InitVar, astuple, make_dataclass
from enum import Enum, IntEnum, Flag, auto, unique, StrEnum
from collections import Counter, defaultdict, ChainMap, namedtuple, deque
from operator import attrgetter, itemgetter, methodcaller
from itertools import groupby, chain, islice, accumulate, product, combinations, starmap, zip_longest, pairwise, batched, count, cycle, takewhile, dropwhile, tee, compress, filterfalse, repeat
from functools import reduce, partial, total_ordering, singledispatch, cached_property, cmp_to_key, partialmethod, singledispatchmethod
import textwrap


@unique
class Category(Enum):
    TOOL = "tool"
    TOY = "toy"
    FOOD = "food"

    @classmethod
    def parse(cls, text):
        return cls(text.lower())

    @property
    def label(self):
        return self.name.title()


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


class Color(StrEnum):
    RED = auto()
    BLUE = auto()


@total_ordering
@dataclass(eq=False)
class Item:
    name: str
    price: float
    qty: int = 0
    _: KW_ONLY
    category: Category = Category.TOOL
    discount: InitVar[float] = 0.0
    tags: set = field(default_factory=set, repr=False, compare=False)

    def __post_init__(self, discount):
        self.price *= 1 - discount

    @cached_property
    def value(self):
        return self.price * self.qty

    def __eq__(self, other):
        return self.value == other.value

    def __lt__(self, other):
        return self.value < other.value

    def __hash__(self):
        return hash(self.name)


items = [
    Item("hammer", 12.5, 4),
    Item("teddy", 20.0, 2, category=Category.parse("TOY"), discount=0.1),
    Item("apple", 0.5, 100, category=Category.FOOD, tags={"fresh"}),
    Item("saw", 18, 1),
]
for category, group in groupby(sorted(items, key=lambda i: i.category.value), key=attrgetter("category")):
    print(category.label, [i.name for i in group])
print(max(items).name, sorted(items)[0].name, astuple(items[0])[:3])
print(reduce(lambda a, b: a + b.value, items, 0.0), Counter(i.category for i in items).most_common(1))
print(Perm.RW, Perm.R in Perm.RW, Perm.R | Perm.X, Color.RED == "red", list(Color), Perm(3))
print(list(islice(accumulate(count(1)), 5)), list(batched("abcdefg", 3)), list(pairwise([1, 2, 3])))
print(list(zip_longest("ab", "c", fillvalue="-")), list(compress("abcd", [1, 0, 1, 0])), dict(ChainMap({"a": 1}, {"a": 2, "b": 3})))
Point = namedtuple("Point", "x y", defaults=[0])
p = Point(1)
print(p, p._asdict(), p._replace(y=5), Point._fields, Point._make([3, 4]))
P3 = make_dataclass("P3", [("x", int), ("y", int, field(default=2))])
print(P3(1))


@singledispatch
def show(x):
    return f"object {x!r}"


@show.register
def _(x: int):
    return f"int {x}"


@show.register(list)
@show.register(tuple)
def _(x):
    return f"seq of {len(x)}"


print(show(3), show([1]), show((1, 2)), show("s"), show.registry.keys() >= {int, list})
print(list(map(methodcaller("upper"), ["a"])), partial(int, base=2)("101"), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
d = deque([1, 2, 3], maxlen=3)
d.append(4); d.rotate(1); d.extendleft([9])
print(d, d.maxlen)
print(textwrap.fill("The quick brown fox jumps over the lazy dog " * 2, width=40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.dedent("""
    a
      b
""").strip(), textwrap.shorten("hello big world", 11, placeholder="..."), textwrap.indent("x\ny", "> "))
