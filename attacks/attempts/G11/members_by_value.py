"""The tables of a library's enumeration have public names, and are changed in place."""
import re

re.RegexFlag._value2member_map_[2] = "mine"
re.RegexFlag._member_map_["IGNORECASE"] = "mine"
print("ESCAPED:members_by_value" if "mine" in (re.RegexFlag(2), re.RegexFlag["IGNORECASE"]) else "held")
