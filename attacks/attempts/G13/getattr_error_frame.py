"""The exception of a refused attribute has the checker's frame."""


class Context:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        while trace.tb_next:
            trace = trace.tb_next
        print("ESCAPED:getattr_error_frame", trace.tb_frame.f_locals)
        return True


with Context():
    getattr(print, "no" + "thing")
