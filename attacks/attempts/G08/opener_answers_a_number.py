"""A file object of a descriptor's number, which no event tells: the class of a raw file takes an opener."""
with open(OUTPUT / "x", "wb") as file:
    raw = type(file.raw)
mine = raw(str(OUTPUT / "x"), "w", opener=lambda path, flags: 2)
mine.write(b"ESCAPED:opener_answers_a_number\n")
