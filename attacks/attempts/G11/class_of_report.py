"""A dict of the script's own, as its result, runs code while the report is made; a hook sees the frame."""
import statistics


class Result(dict):
    def items(self):
        print("ESCAPED:class_of_report", statistics.sys._getframe(1).f_globals["__name__"])
        return []


result = Result(a=1)
result.items()
