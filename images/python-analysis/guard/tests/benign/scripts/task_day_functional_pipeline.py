from functools import reduce, partial, wraps, cmp_to_key, singledispatchmethod, cached_property, partialmethod
from itertools import chain, tee, filterfalse, repeat, cycle, islice, product
from operator import mul, add, itemgetter, methodcaller, attrgetter, not_
import random
import string


def compose(*funcs):
    return reduce(lambda f, g: lambda x: g(f(x)), funcs)


def curry(func):
    @wraps(func)
    def curried(*args):
        if len(args) >= func.__code__.co_argcount:
            return func(*args)
        return lambda *more: curried(*args, *more)
    return curried


def pipe(value, *funcs):
    for f in funcs:
        value = f(value)
    return value


@curry
def volume(a, b, c):
    return a * b * c


def partition(pred, it):
    a, b = tee(it)
    return list(filter(pred, a)), list(filterfalse(pred, b))


def by_length_then_alpha(a, b):
    return (len(a) > len(b)) - (len(a) < len(b)) or (a > b) - (a < b)


words = "kiwi fig banana date apple cherry".split()
print(pipe(words, partial(map, str.upper), partial(filter, lambda w: len(w) > 4), sorted, ", ".join))
print(volume(2)(3)(4), volume(2, 3)(5), compose(str.strip, str.title, len)("  ab c "), volume.__name__)
print(sorted(words, key=cmp_to_key(by_length_then_alpha)), partition(lambda w: "a" in w, words))
print(reduce(mul, range(1, 8)), list(map(add, [1, 2], [3, 4])), list(map(methodcaller("count", "a"), words)), max(enumerate(words), key=itemgetter(1)))
print(list(islice(cycle("ab"), 5)), list(map(pow, [2, 3], repeat(3))), dict(zip(string.ascii_lowercase, range(3))), list(chain(*[[1], [2, 3]])))


class Formatter:
    def __init__(self, width):
        self.width = width

    @singledispatchmethod
    def render(self, value):
        return str(value).ljust(self.width)

    @render.register
    def _(self, value: float):
        return f"{value:>{self.width}.2f}"

    @render.register(list)
    def _(self, value):
        return "[" + "|".join(self.render(v) for v in value) + "]"

    @cached_property
    def rule(self):
        print("computing rule")
        return "-" * self.width

    def pad(self, text, side):
        return getattr(text, side)(self.width, ".")

    left = partialmethod(pad, side="ljust")
    right = partialmethod(pad, side="rjust")


f = Formatter(6)
print(f.render("x"), f.render(1.5), f.render([1, 2.25]), f.rule, f.rule, f.left("a"), f.right("b"), sep="/")
random.seed(0)
print(random.choices("abc", weights=[5, 1, 1], k=6), random.sample(range(50), 3), round(random.gauss(0, 1), 3), random.getrandbits(8))
print(*({a, b} for a, b in product((1, 2), repeat=2)), any(map(not_, [1, 0])), attrgetter("width")(f))
