"""The name of a dataclass's field becomes a property that lies the second time."""
import dataclasses

CODE = "x or print('ESCAPED:field_name_property', ().__class__.__base__.__subclasses__()[0]) or self.x"
times = []


@dataclasses.dataclass
class A:
    x: int = 0


def name(self):
    times.append(1)
    return "x" if len(times) <= limit else CODE


real = dataclasses.Field.name
dataclasses.Field.name = property(name, lambda self, value: None)
for limit in range(12):
    times.clear()
    try:

        @dataclasses.dataclass(init=False, repr=False)
        class B(A):
            pass

        B() == B()
    except Exception:
        continue
