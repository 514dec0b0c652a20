"""collections keeps sys._getframe under its own name."""
import collections

print("ESCAPED:sys_getframe", collections._sys._getframe().f_builtins["eval"])
