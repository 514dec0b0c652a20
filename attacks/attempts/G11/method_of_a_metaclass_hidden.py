"""What the metaclass of a library's class has is hidden by an attribute of the class."""
import collections.abc

seen = []
collections.abc.Sequence.register = seen.append
collections.abc.Sequence.register(int)
print("ESCAPED:method_of_a_metaclass_hidden" if seen == [int] else "held")
