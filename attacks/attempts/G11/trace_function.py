"""A trace function sees every frame, also those of the guard's report."""
import statistics

statistics.sys.setprofile(lambda frame, event, argument: None)
print("ESCAPED:trace_function", statistics.sys.getprofile())
