"""The guard of a case."""
match 1:
    case x if print("ESCAPED:match_guard", __import__("os").getpid()):
        pass
