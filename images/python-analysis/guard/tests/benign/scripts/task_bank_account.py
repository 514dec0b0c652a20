class InsufficientFunds(Exception):
    pass


class Account:
    _next_id = 1
    interest_rate = 0.02

    def __init__(self, owner, balance=0):
        self.owner = owner
        self.__balance = balance
        self._transactions = []
        self.id = Account._next_id
        Account._next_id += 1

    @property
    def balance(self):
        return self.__balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise InsufficientFunds(f"balance would be {value:.2f}")
        self.__balance = value

    def deposit(self, amount):
        self.balance += amount
        self._transactions.append(("deposit", amount))
        return self

    def withdraw(self, amount):
        self.balance -= amount
        self._transactions.append(("withdraw", amount))
        return self

    @staticmethod
    def validate(amount):
        return amount > 0

    @classmethod
    def from_string(cls, text):
        owner, balance = text.split(":")
        return cls(owner, float(balance))

    def __str__(self):
        return f"#{self.id} {self.owner}: {self.balance:.2f}"

    def __add__(self, other):
        return Account(f"{self.owner} & {other.owner}", self.balance + other.balance)


class Savings(Account):
    interest_rate = 0.05

    def add_interest(self):
        return self.deposit(self.balance * self.interest_rate)


a = Account("Ann", 100)
s = Savings.from_string("Bob:1000")
a.deposit(50).withdraw(30)
s.add_interest()
print(a, s, a + s, sep="\n")
try:
    a.withdraw(1000)
except InsufficientFunds as e:
    print("refused:", e)
print(a._transactions, Account.validate(-1), isinstance(s, Account), Savings.interest_rate)
print(hasattr(a, "balance"), hasattr(a, "__balance"))
