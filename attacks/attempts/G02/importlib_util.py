"""What a finder answers with makes any module."""
import importlib.util

module = importlib.util.module_from_spec(importlib.util.find_spec("posix"))
print("ESCAPED:importlib_util", module.getpid())
