"""A hook that runs when the script has failed."""
import statistics

statistics.sys.excepthook = lambda *arguments: print("ESCAPED:excepthook")
raise ValueError
