"""A method is added to a base class, and stands before that of a later base for all classes below."""
from matplotlib.text import Annotation, Text

seen = []
Text.draggable = lambda self, *state: seen.append(self)
Annotation("a", (0, 0)).draggable()
print("ESCAPED:base_hides_a_later_base" if seen else "held")
