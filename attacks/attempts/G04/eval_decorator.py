"""eval as a decorator."""


@eval
@lambda function: "__import__('os').getpid()"
def value():
    pass


print("ESCAPED:eval_decorator", value)
