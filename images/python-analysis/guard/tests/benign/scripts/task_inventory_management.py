import json
import os
from datetime import date


class OutOfStock(Exception):
    def __init__(self, sku, wanted, available):
        self.sku, self.wanted, self.available = sku, wanted, available
        super().__init__(f"{sku}: wanted {wanted}, have {available}")


class Inventory:
    def __init__(self, path):
        self.path = path
        self.stock = {}
        if os.path.exists(path):
            with open(path) as f:
                self.stock = json.load(f)

    def save(self):
        tmp = self.path + ".tmp"
        with open(tmp, "w") as f:
            json.dump(self.stock, f, indent=2, sort_keys=True)
        os.replace(tmp, self.path)

    def receive(self, sku, qty, price):
        entry = self.stock.setdefault(sku, {"qty": 0, "price": price})
        total = entry["qty"] * entry["price"] + qty * price
        entry["qty"] += qty
        entry["price"] = round(total / entry["qty"], 4)

    def ship(self, sku, qty):
        available = self.stock.get(sku, {}).get("qty", 0)
        if qty > available:
            raise OutOfStock(sku, qty, available)
        self.stock[sku]["qty"] -= qty

    @property
    def value(self):
        return sum(e["qty"] * e["price"] for e in self.stock.values())


inv = Inventory("stock.json")
inv.receive("BOLT", 100, 0.10)
inv.receive("BOLT", 50, 0.13)
inv.receive("NUT", 200, 0.05)
inv.ship("BOLT", 30)
try:
    inv.ship("NUT", 500)
except OutOfStock as e:
    print("refused:", e, e.available)
inv.save()
again = Inventory("stock.json")
print(again.stock, round(again.value, 2), os.listdir("."))
print(f"as of {date(2024, 1, 31):%d/%m/%y}: " + ", ".join(f"{k}={v['qty']}" for k, v in sorted(again.stock.items())))
