"""A variable's annotation is evaluated."""
x: print("ESCAPED:annotation_of_variable", __import__("os").getpid()) = 1
