"""The message of an assertion is an expression."""
try:
    assert False, __import__("os").getpid()
except AssertionError as error:
    print("ESCAPED:assert_message", error)
