"""The class of a module makes modules; an instance's dict is the module's."""
import math

module = type(math)("new")
print("ESCAPED:type_of_module", type(math).__init__, module.__dict__["__name__"], math.__loader__)
