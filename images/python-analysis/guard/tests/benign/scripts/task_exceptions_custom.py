import traceback
import warnings


class AppError(Exception):
    """Base class."""


class ValidationError(AppError):
    def __init__(self, field, message):
        super().__init__(f"{field}: {message}")
        self.field = field


def validate(record):
    errors = []
    if not record.get("name"):
        errors.append(ValidationError("name", "is required"))
    if record.get("age", 0) < 0:
        errors.append(ValidationError("age", "must be positive"))
    if errors:
        raise ExceptionGroup("invalid record", errors)
    return record


for record in ({"name": "Ann", "age": 5}, {"age": -1}, {}):
    try:
        print("ok", validate(record))
    except* ValidationError as group:
        print(group.message, [e.field for e in group.exceptions])

try:
    try:
        {}["missing"]
    except KeyError as e:
        raise AppError("lookup failed") from e
except AppError as e:
    print(repr(e), "caused by", repr(e.__cause__))
    print(traceback.format_exception_only(type(e), e)[-1].strip())


def risky(n):
    try:
        return 10 / n
    except ZeroDivisionError:
        return float("inf")
    else:
        print("never reached")
    finally:
        print("cleanup", n)


print(risky(2), risky(0))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("old function", DeprecationWarning)
print(len(caught), caught[0].category.__name__, caught[0].message)
try:
    assert 1 + 1 == 3, "arithmetic is broken"
except AssertionError as e:
    e.add_note("checked at startup")
    print(e, e.__notes__)
