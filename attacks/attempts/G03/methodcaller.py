"""operator.methodcaller calls a method by its name."""
import operator

classes = operator.methodcaller("__subcl" + "asses__")(object)
print("ESCAPED:methodcaller", [c for c in classes if c.__name__ == "_wrap_close"][0].__name__)
