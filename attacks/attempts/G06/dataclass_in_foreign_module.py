"""dataclasses runs its generated code in the globals of the class's module.

Selected: yes
"""
import dataclasses
import statistics

CODE = "x or print('ESCAPED:dataclass_in_foreign_module', sys.modules['posix'].getpid()) or self.x"
A = type("A", (), {"__annotations__": {CODE: int}, "__module__": "statistics", "x": 0})
dataclasses.dataclass(init=False, repr=False)(A)() == A()
