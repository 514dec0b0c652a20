"""eval as the callback of a substitution."""
import re

print("ESCAPED:re_callback", re.sub("a", lambda match: str(eval("__import__('os').getpid()")), "a"))
