"""copy hands out the function that makes objects, which takes any class and any arguments."""
import copy


class A:
    pass


function = A().__reduce_ex__(2)[0]
print("ESCAPED:copy_reduce_ex", function.__globals__["__builtins__"])
