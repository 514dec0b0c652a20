"""What is added to an exception is told with it."""

import traceback


def parsed(row, number):
    try:
        return {"height": float(row["height"]), "site": row["site"]}
    except (KeyError, ValueError) as error:
        error.add_note(f"in row {number}")
        error.add_note(f"which holds {sorted(row)}")
        raise


rows = [{"height": "1.7", "site": "A"}, {"height": "tall", "site": "B"}, {"site": "C"}]
for number, row in enumerate(rows, 1):
    try:
        print(parsed(row, number))
    except (KeyError, ValueError) as error:
        print("".join(traceback.format_exception_only(error)), error.__notes__, str(error))
        print(str(traceback.TracebackException.from_exception(error)), [*traceback.TracebackException.from_exception(error).format_exception_only()])
        print(traceback.format_exc().splitlines()[-3:])

try:
    try:
        parsed(rows[1], 2)
    except ValueError as first:
        raise RuntimeError("the file is unusable") from first
except RuntimeError as error:
    error.add_note("ask who sent it")
    print([line for line in "".join(traceback.format_exception(error)).splitlines() if not line.startswith(" ")])
