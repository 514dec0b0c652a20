"""The same by a pattern."""


class Context:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        match trace:
            case object(tb_frame=frame):
                print("ESCAPED:exit_arguments_by_match", frame)
        return True


with Context():
    1 / 0
