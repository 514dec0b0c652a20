"""attrgetter by a built name."""
import operator

print("ESCAPED:attrgetter_by_getattr", getattr(operator, "attr" + "getter")("__self" + "__.__name__")(print))
