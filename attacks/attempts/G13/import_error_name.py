"""The exception of a refused import leads to the guard by its traceback."""
try:
    import nonexistent_module
except ImportError as error:
    trace = error.__traceback__
    while trace.tb_next:
        trace = trace.tb_next
    print("ESCAPED:import_error_name", trace.tb_frame.f_globals["__name__"])
