"""The alias of Annotated asks that of its base."""
import typing

from scipy import integrate


class Alias(type(typing.Annotated[int, 1]), _root=True):
    pass


region = integrate.cubature(lambda x: x[..., 0], [0.0], [1.0]).regions[0]
print("ESCAPED:alias_of_annotated_inherited", Alias(region, (1,))._xp.__name__)
