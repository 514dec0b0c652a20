"""A file object's bytes say that they are longer than they are: pandas' parser reads on behind them."""
import io

import pandas as pd


class Long(bytes):
    def __len__(self):
        return 3000


class File:
    pieces = [b"a\n", Long(b"1\n" + b"y" * 398)]

    def read(self, size=-1):
        return self.pieces.pop(0) if self.pieces else b""

    def __iter__(self):
        return self


def read(file):
    try:
        return pd.read_csv(file, encoding_errors="replace", on_bad_lines="skip", sep="\x01", quoting=3).to_csv()
    except pd.errors.ParserError as error:
        return f"more than was given: {error}"


given = read(io.BytesIO(b"a\n1\n" + b"y" * 398))
found = read(File())
print("ESCAPED:parser_believes_a_length" if found != given else "held", len(found), len(given))
