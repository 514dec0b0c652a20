"""A helper of statsmodels for another age makes classes past the class statement."""
from statsmodels.gam.gam_cross_validation import cross_validators

class Shape(type):
    pass


made = cross_validators.with_metaclass(Shape, int)
print("ESCAPED:class_by_with_metaclass", made)
