import io
import logging

stream = io.StringIO()
logger = logging.getLogger("shop")
logger.setLevel(logging.DEBUG)
handler = logging.StreamHandler(stream)
handler.setFormatter(logging.Formatter("%(levelname)-8s %(name)s: %(message)s"))
logger.addHandler(handler)
logger.propagate = False


class Cart:
    def __init__(self):
        self.items = {}
        self.log = logging.getLogger("shop.cart")

    def add(self, name, price, qty=1):
        if price < 0:
            self.log.error("negative price for %s: %s", name, price)
            return
        self.items[name] = self.items.get(name, 0) + price * qty
        self.log.info("added %d x %s", qty, name)

    def checkout(self):
        if not self.items:
            self.log.warning("checkout of an empty cart")
            return 0
        total = sum(self.items.values())
        self.log.debug("total computed: %.2f", total)
        return total


cart = Cart()
cart.checkout()
cart.add("apple", 0.5, 4)
cart.add("ghost", -1)
print("total:", cart.checkout())
try:
    1 / 0
except ZeroDivisionError:
    logger.exception("unexpected")
print(stream.getvalue().splitlines()[:4])
print(logger.isEnabledFor(logging.DEBUG), logging.getLevelName(30), logger.getEffectiveLevel())
