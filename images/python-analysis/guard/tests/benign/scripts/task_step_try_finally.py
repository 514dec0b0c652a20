def risky(n):
    try:
        if n == 0: raise ValueError("zero")
        if n == 1: return 1 / 0
        return {"a": 1}["b"]
    except ZeroDivisionError as e:
        return f"div: {e}"
    except (KeyError, TypeError) as e:
        return f"key: {e}"
    else:
        return "never"
    finally:
        print("cleanup", n)
for i in range(3):
    try:
        print(risky(i))
    except ValueError as err:
        print("caught", err, type(err).__name__, err.args)
class MyError(Exception):
    def __init__(self, msg, code): super().__init__(msg); self.code = code
try:
    try:
        raise MyError("inner", 3)
    except MyError as e:
        raise RuntimeError("outer") from e
except RuntimeError as e:
    print(e, e.__cause__, e.__cause__.code)
try:
    assert 1 == 2, "not equal"
except AssertionError as e:
    print("assert:", e)
