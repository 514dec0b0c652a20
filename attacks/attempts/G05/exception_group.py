"""The exceptions of a group."""
try:
    try:
        1 / 0
    except ZeroDivisionError as error:
        raise ExceptionGroup("group", [error])
except* ZeroDivisionError as group:
    print("ESCAPED:exception_group", group.exceptions[0].__traceback__.tb_frame)
