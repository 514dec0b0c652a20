"""warnings keeps the module that reads source lines of any file."""
import warnings

print("ESCAPED:warnings_linecache" if "canary:" in warnings.sys.modules["linecache"].getline("@CANARY@", 1) else "held")
