"""patsy itself, with the environment of its caller."""
import patsy

found = patsy.dmatrix("I(x * __imp" + "ort__('os').getpid())", {"x": [1.0]})
print("ESCAPED:patsy_dmatrix", found[0, 1])
