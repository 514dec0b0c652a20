"""A dotted value in a pattern reads attributes."""
import statistics

match 0:
    case statistics.sys.maxsize:
        pass
    case x if statistics.sys.modules["os"].getpid():
        print("ESCAPED:match_value")
