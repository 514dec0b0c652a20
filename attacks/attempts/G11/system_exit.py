"""SystemExit with an object whose text is made at the end."""


class Code:
    def __repr__(self):
        return "x"

    def __str__(self):
        import os

        return f"\nESCAPED:system_exit {os.getpid()}"


raise SystemExit(Code())
