"""A minimal test runner that discovers test_ functions in this file."""
import time
import traceback


def slugify(text):
    return "-".join("".join(c.lower() if c.isalnum() else " " for c in text).split())


def test_simple(): assert slugify("Hello World") == "hello-world"
def test_punctuation(): assert slugify("a, b & c!") == "a-b-c"
def test_empty(): assert slugify("") == ""
def test_fails(): assert slugify("x") == "y", "deliberate"


class raises:
    def __init__(self, kind): self.kind = kind
    def __enter__(self): return self
    def __exit__(self, t, v, tb):
        if t is None: raise AssertionError(f"{self.kind.__name__} not raised")
        return issubclass(t, self.kind)


def test_raises():
    with raises(AttributeError): slugify(None).nope
    with raises(TypeError): slugify(5)


def run(namespace):
    passed, failed = 0, []
    for name, fn in sorted(namespace.items()):
        if name.startswith("test_") and callable(fn):
            try:
                fn()
                passed += 1
            except Exception:
                failed.append((name, traceback.format_exc().strip().splitlines()[-1]))
    return passed, failed


if __name__ == "__main__":
    started = time.time()
    passed, failed = run(globals())
    for name, why in failed: print("FAIL", name, why)
    print(f"{passed} passed, {len(failed)} failed")
