"""string.Formatter hands out the object that a format field names."""
import string

found, _ = string.Formatter().get_field("0.__self__", (print,), {})
print("ESCAPED:formatter_get_field", found.__name__)
