"""An exception that the guard's open raises has the guard's frame in its traceback."""
try:
    open("@OUTSIDE@/none")
except OSError as error:
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    print("ESCAPED:raised_by_the_opener", trace.tb_frame.f_globals["__builtins__"])
