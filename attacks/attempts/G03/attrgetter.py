"""operator.attrgetter reads what it is told."""
import operator

print("ESCAPED:attrgetter", operator.attrgetter("__self" + "__.__name__")(print))
