class DataError(Exception):
    """Raised when a table is not as expected."""

    def __init__(self, column, rows):
        super().__init__(f"{column}: {rows} bad rows")
        self.column, self.rows = column, rows

def check(df, column, low, high):
    bad = df[(df[column] < low) | (df[column] > high)]
    if len(bad):
        raise DataError(column, len(bad))
    return "ok"

for bounds in ((0, 1000), (100, 120)):
    try:
        print(check(visits, "sbp", *bounds))
    except DataError as error:
        print(error.column, error.rows > 0, isinstance(error, Exception), error.args[0].startswith("sbp"))
    else:
        print("no error")
    finally:
        print("checked", bounds)

def parse(text):
    try:
        return float(text)
    except (TypeError, ValueError) as error:
        raise DataError("text", 1) from error

try:
    parse("abc")
except DataError as error:
    print(type(error).__name__, str(error))
for action in (lambda: {}["k"], lambda: [][1], lambda: 1 / 0, lambda: int("x"), lambda: None.upper(), lambda: visits["nope"], lambda: undefined_name):
    try:
        action()
    except (KeyError, IndexError) as error:
        print("lookup", type(error).__name__, repr(error))
    except ZeroDivisionError:
        print("zero")
    except Exception as error:
        print(type(error).__name__, error)
try:
    raise ExceptionGroup("many", [ValueError("a"), TypeError("b")])
except* ValueError as group:
    print("values", [str(e) for e in group.exceptions])
except* TypeError as group:
    print("types", len(group.exceptions))
try:
    assert visits.empty, "visits are there"
except AssertionError as error:
    print(error)
