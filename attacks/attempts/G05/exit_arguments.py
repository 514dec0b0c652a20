"""A context manager is handed the traceback.

Selected: yes
"""


class Context:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        print("ESCAPED:exit_arguments", trace.tb_frame.f_builtins["eval"])
        return True


with Context():
    1 / 0
