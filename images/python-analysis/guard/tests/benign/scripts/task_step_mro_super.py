class A:
    def who(self): return "A"
class B(A):
    def who(self): return "B" + super().who()
class C(A):
    def who(self): return "C" + super().who()
class D(B, C):
    def who(self): return "D" + super().who()
print(D().who(), [k.__name__ for k in D.__mro__], issubclass(D, A), hasattr(D(), "who"), getattr(D(), "nope", None), vars(D()), D.__name__, D.__bases__[0].__name__)
