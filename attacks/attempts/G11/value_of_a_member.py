"""A member of a library's enumeration gets another value: whoever compiles with that flag gets another one."""
import re

re.IGNORECASE._value_ = 0
print("ESCAPED:value_of_a_member" if re.compile("a", re.IGNORECASE).match("A") is None else "held")
