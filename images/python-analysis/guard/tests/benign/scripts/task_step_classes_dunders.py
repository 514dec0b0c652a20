class Money:
    currency = "EUR"
    def __init__(self, amount): self.amount = amount
    def __add__(self, other): return Money(self.amount + other.amount)
    def __radd__(self, other): return self if other == 0 else NotImplemented
    def __eq__(self, other): return self.amount == other.amount
    def __lt__(self, other): return self.amount < other.amount
    def __repr__(self): return f"Money({self.amount})"
    def __str__(self): return f"{self.amount:.2f} {self.currency}"
    def __len__(self): return int(self.amount)
    def __getitem__(self, i): return str(self.amount)[i]
    def __contains__(self, d): return str(d) in str(self.amount)
    def __call__(self, rate): return Money(self.amount * rate)
    def __iter__(self): return iter(str(self.amount))
    def __hash__(self): return hash(self.amount)
    @property
    def cents(self): return int(self.amount * 100)
    @cents.setter
    def cents(self, v): self.amount = v / 100
    @classmethod
    def zero(cls): return cls(0)
    @staticmethod
    def parse(s): return Money(float(s))
class Tip(Money):
    def __init__(self, amount, percent=10):
        super().__init__(amount)
        self.percent = percent
    def __str__(self): return super().__str__() + f" (+{self.percent}%)"
a, b = Money(5), Money.parse("2.5")
print(a + b, sum([a, b]), a == Money(5), sorted([a, b]), len(a), a[0], 5 in a, a(2), list(a))
a.cents = 750
print(a.cents, a, Tip(3), isinstance(Tip(1), Money), Money.zero(), {a: 1}[Money(7.5)])
a.note = "hi"; a.amount += 1; print(a.note, a.amount, type(a).__name__, a.__class__.__name__)
