"""Another thread changes a class's annotations while dataclass() looks at them."""
import concurrent.futures
import dataclasses

NAME = "x or print('ESCAPED:fields_changed_by_a_thread', ().__cla" + "ss__.__base__) or self.x"

def change(names):
    for _ in range(40000):
        names[NAME] = int
        names.pop(NAME)
    names[NAME] = int

with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for turn in range(40):
        class A:
            x: int = 0
        A.__annotations__.update({f"a{n}": int for n in range(50)})
        for n in range(50):
            setattr(A, f"a{n}", 0)
        work = pool.submit(change, A.__annotations__)
        while turn % 2 and NAME not in A.__annotations__:
            pass  # what the library makes first stays, so in each second turn it is the field
        for _ in range(30):
            try:
                B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
                B() == B()
            except (TypeError, RuntimeError, SyntaxError, AttributeError):
                pass
        work.result()
        try:
            B = dataclasses.dataclass(init=False, repr=False, eq=True)(A)
            B() == B()
        except TypeError:
            pass
