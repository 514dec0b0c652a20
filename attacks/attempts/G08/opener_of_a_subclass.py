"""The same by a class that inherits, and by a number that is none: a raw file that fails closes what it was told."""
with open(OUTPUT / "x", "wb") as file:
    raw = type(file.raw)


class Mine(raw):
    def __init__(self, number):
        super().__init__(str(OUTPUT / "x"), "w", True, lambda path, flags: number)


kept = []
for number in (2, 20, 21):
    try:
        kept.append(Mine(number))
        kept[-1].write(b"ESCAPED:opener_of_a_subclass\n")
    except OSError as error:
        print(number, error.errno)
