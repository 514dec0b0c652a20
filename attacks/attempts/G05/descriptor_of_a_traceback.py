"""What reads the traceback of any exception is an attribute of the exceptions' class."""
try:
    1 / 0
except ZeroDivisionError as error:
    read = BaseException.__traceback__.__get__
    print("ESCAPED:descriptor_of_a_traceback", read(error))
