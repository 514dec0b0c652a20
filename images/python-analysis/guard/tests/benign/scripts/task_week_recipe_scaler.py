from dataclasses import dataclass, field, asdict, replace, fields
from fractions import Fraction
from typing import ClassVar
import json

@dataclass(order=True, frozen=True)
class Ingredient:
    sort_index: float = field(init=False, repr=False)
    name: str
    amount: Fraction
    unit: str = "g"

    def __post_init__(self):
        object.__setattr__(self, "sort_index", -float(self.amount))

@dataclass
class Recipe:
    title: str
    servings: int
    items: list[Ingredient] = field(default_factory=list)
    COUNT: ClassVar[int] = 0

    def __post_init__(self):
        if self.servings <= 0:
            raise ValueError(f"servings must be positive, got {self.servings}")
        Recipe.COUNT += 1

    def scaled(self, servings):
        factor = Fraction(servings, self.servings)
        return replace(self, servings=servings, items=[replace_amount(i, factor) for i in self.items])

def replace_amount(item, factor):
    return Ingredient(item.name, item.amount * factor, item.unit)

class FractionEncoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, Fraction):
            return f"{o.numerator}/{o.denominator}"
        return super().default(o)

soup = Recipe("Leek soup", 4, [Ingredient("leek", Fraction(300)), Ingredient("cream", Fraction(1, 3), "l"), Ingredient("salt", Fraction(5, 2))])
big = soup.scaled(6)
print(big)
print(sorted(big.items)[0].name, [f.name for f in fields(Ingredient)])
print(json.dumps(asdict(big), cls=FractionEncoder, indent=2))
try:
    Recipe("nothing", 0)
except ValueError as err:
    print("Error:", err)
try:
    soup.items[0].name = "onion"
except Exception as err:
    print(type(err).__name__, err)
print(Recipe.COUNT)
