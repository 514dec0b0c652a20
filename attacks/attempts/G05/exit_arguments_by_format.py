"""The same by a format string; its text names the frame's builtins."""


class Context:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        text = ("{0.tb_" + "frame.f_" + "builtins}").format(trace)
        print("ESCAPED:exit_arguments_by_format" if "built-in function eval" in text else "held")
        return True


with Context():
    1 / 0
