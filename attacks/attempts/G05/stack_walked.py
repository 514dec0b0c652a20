"""traceback walks the stack, and hands out each frame."""
import traceback

frame, line = next(traceback.walk_stack(None))
print("ESCAPED:stack_walked", frame.f_globals["__builtins__"])
