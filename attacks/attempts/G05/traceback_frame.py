"""A traceback's frame."""
try:
    1 / 0
except ZeroDivisionError as error:
    print("ESCAPED:traceback_frame", error.__traceback__.tb_frame.f_builtins["__import__"]("os").getpid())
