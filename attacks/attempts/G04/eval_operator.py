"""eval bound to an operator."""


class A:
    __class_getitem__ = eval


print("ESCAPED:eval_operator", A["__import__('os').getpid()"])
