from collections import UserDict, UserList
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Iterator
import logging

log = logging.getLogger("cart")
log.addHandler(logging.NullHandler())


@dataclass
class Product:
    sku: str
    price: float
    stock: int = 0
    _ids = count(1)
    id: int = field(init=False)

    def __post_init__(self):
        self.id = next(Product._ids)


class Catalog(UserDict):
    def __setitem__(self, key, product):
        if not isinstance(product, Product):
            raise TypeError("only products")
        super().__setitem__(key.upper(), product)

    def __missing__(self, key):
        if key == key.upper():
            raise KeyError(f"no product {key}")
        return self[key.upper()]


class History(UserList):
    def append(self, item):
        if len(self) >= 3:
            self.data.pop(0)
        super().append(item)


class Cart:
    def __init__(self, catalog):
        self.catalog = catalog
        self.lines = {}
        self.history = History()

    def add(self, sku, n=1):
        product = self.catalog[sku]
        if product.stock < n:
            raise ValueError(f"only {product.stock} of {sku}")
        product.stock -= n
        self.lines[product.sku] = self.lines.get(product.sku, 0) + n
        self.history.append(f"+{n} {sku}")
        log.info("added %s", sku)

    @contextmanager
    def transaction(self):
        lines = dict(self.lines)
        stock = {p.sku: p.stock for p in self.catalog.values()}
        try:
            yield self
        except Exception as e:
            self.lines = lines
            for sku, n in stock.items():
                self.catalog[sku].stock = n
            self.history.append(f"rollback: {e}")

    @property
    def total(self):
        return sum(self.catalog[s].price * n for s, n in self.lines.items())

    def __iter__(self) -> Iterator:
        yield from self.lines.items()

    def __len__(self):
        return sum(self.lines.values())


catalog = Catalog()
for sku, price, stock in [("PEN", 1.5, 10), ("INK", 6.0, 2)]:
    catalog[sku] = Product(sku, price, stock)
cart = Cart(catalog)
cart.add("pen", 4)
with cart.transaction():
    cart.add("INK", 1)
    cart.add("INK", 5)
print(dict(cart), cart.total, len(cart), cart.history, catalog["INK"])
for bad in (lambda: cart.add("GLUE"), lambda: catalog.__setitem__("x", 5)):
    try:
        bad()
    except (KeyError, TypeError) as e:
        print(type(e).__name__, e)
for _ in range(3):
    cart.add("PEN")
print(cart.history, list(catalog), "PEN" in catalog, isinstance(cart.history, list), cart.history[0:2])
