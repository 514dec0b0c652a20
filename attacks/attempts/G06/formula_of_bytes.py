"""patsy compiles bytes, whose coding comment the guard's reading ignores."""
import patsy

env = patsy.EvalEnvironment([{}])
text = b"# coding: utf-7\n(1 #+AAo-and ().+AF8AXw-class+AF8AXw-.+AF8AXw-base+AF8AXw-.+AF8AXw-subclasses+AF8AXw-()\n)\n"
found = env.eval(text)
print("ESCAPED:formula_of_bytes", found[0])
