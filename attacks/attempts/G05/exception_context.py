"""The exception behind an exception, and its frame."""
try:
    try:
        1 / 0
    except ZeroDivisionError:
        [][1]
except IndexError as error:
    print("ESCAPED:exception_context", error.__context__.__traceback__.tb_frame)
