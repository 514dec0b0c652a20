"""scipy's distributions that are integrated natively, without ctypes: that of the range which Tukey's test asks, and two more.

scipy hands its native integrands their numbers, four at most, as a ctypes pointer. Here they stand in
memory of the guard's own, to which capsules were made before the audit hook refuses ctypes:
a call writes its numbers there, and native code reads them. Nothing else is told the address.
"""

from __future__ import annotations

import ctypes
from array import array
from itertools import cycle, pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

__all__ = ["integrate_ranges"]

_NUMBERS: Final = 4
_DOUBLE: Final = 8
_LENT: Final = 64
"""Calls that can run at once, in threads."""
_ASYMPTOTIC: Final = 100_000


def _lent() -> list[tuple[Any, object]]:
    """Return memory for the numbers of calls, each with its capsule."""
    make = ctypes.pythonapi["PyCapsule_New"]
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    buffers = [array("d", bytes(_NUMBERS * _DOUBLE)) for _ in range(_LENT)]  # nothing of ctypes' is left
    return [(buffer, make(buffer.buffer_info()[0], None, None)) for buffer in buffers]


_numbers: Final = cycle(_lent())


def integrate_ranges(module: Any) -> None:
    """Change the module of the continuous distributions."""
    integrand = _integrands(module)
    kind = module.studentized_range_gen
    kind._cdf, kind._pdf, kind._munp = _functions(module, integrand)
    module.genhyperbolic_gen._integrate_pdf = _hyperbolic(module, integrand)
    module.geninvgauss_gen._cdf = _inverse_gaussian(module, integrand)


def _integrands(module: Any) -> Callable[..., Any]:
    from scipy._lib import _ccallback_c  # type: ignore[import-untyped]
    from scipy._lib._ccallback import LowLevelCallable  # type: ignore[import-untyped]

    raw, make = vars(_ccallback_c)["get_raw_capsule"], tuple.__new__
    functions = module._stats.__pyx_capi__

    def integrand(name: str, *numbers: Any) -> Any:
        exact = [float(number) for number in numbers]
        buffer, capsule = next(_numbers)
        for at, number in enumerate(exact):
            buffer[at] = number
        function = functions[name]
        return make(LowLevelCallable, (raw(function, None, capsule), function, capsule))

    return integrand


def _hyperbolic(module: Any, integrand: Callable[..., Any]) -> Any:
    """Return how genhyperbolic integrates, as scipy writes it: by two parts, where the mean is inside."""
    np, quad, bessel = module.np, module.integrate.quad, module.sc.kv

    def of_one(x0: Any, x1: Any, p: Any, a: Any, b: Any) -> Any:
        called = integrand("_genhyperbolic_pdf", p, a, b)
        d = np.sqrt((a + b) * (a - b))
        mean = b / d * bessel(p + 1, d) / bessel(p, d)
        ends = [x0, mean, x1] if x0 < mean < x1 else [x0, x1]
        found = sum(quad(called, *part, epsrel=1e-10, epsabs=0)[0] for part in pairwise(ends))
        if np.isnan(found):
            message = "Infinite values encountered in scipy.special.kve. Values replaced by NaN to avoid incorrect results."
            module.warnings.warn(message, RuntimeWarning, stacklevel=3)
        return max(0.0, min(1.0, found))

    return np.vectorize(of_one, otypes=[np.float64])


def _inverse_gaussian(module: Any, integrand: Callable[..., Any]) -> Any:
    """Return geninvgauss's own function, as scipy writes it."""
    np, quad = module.np, module.integrate.quad

    def _cdf(self: Any, x: Any, p: Any, b: Any) -> Any:
        least, _ = self._get_support(p, b)

        def of_one(x: Any, p: Any, b: Any) -> Any:
            return quad(integrand("_geninvgauss_pdf", p, b), least, x)[0]

        return np.vectorize(of_one, otypes=[np.float64])(x, p, b)

    return _cdf


def _functions(module: Any, integrand: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """Return the studentized range's own three functions, as scipy writes them."""
    np, stats, infinite = module.np, module._stats, float("inf")
    nquad = module.integrate.nquad
    whole, positive = (-infinite, infinite), (0, infinite)

    def integrate(name: str, numbers: tuple[Any, ...], ranges: list[tuple[float, float]]) -> Any:
        return nquad(integrand(name, *numbers), ranges=ranges, opts={"epsabs": 1e-11, "epsrel": 1e-12})[0]

    def single(name: str, constant: Callable[..., Any]) -> Callable[..., Any]:
        def of_one(q: Any, k: Any, df: Any) -> Any:
            if df < _ASYMPTOTIC:
                return integrate(name, (q, k, df, constant(k, df)), [whole, positive])
            return integrate(f"{name}_asymptotic", (q, k), [whole])

        return of_one

    def over(function: Callable[..., Any], *arguments: Any) -> Any:
        return np.asarray(np.frompyfunc(function, 3, 1)(*arguments), dtype=np.float64)[()]

    cdf = single("_studentized_range_cdf", stats._studentized_range_cdf_logconst)
    pdf = single("_studentized_range_pdf", stats._studentized_range_pdf_logconst)

    def _cdf(self: Any, x: Any, k: Any, df: Any) -> Any:
        return np.clip(over(cdf, x, k, df), 0, 1)

    def _pdf(self: Any, x: Any, k: Any, df: Any) -> Any:
        return over(pdf, x, k, df)

    def _munp(self: Any, K: Any, k: Any, df: Any) -> Any:  # noqa: N803  # scipy's names
        ends = self._get_support()

        def of_one(K: Any, k: Any, df: Any) -> Any:  # noqa: N803
            numbers = K, k, df, stats._studentized_range_pdf_logconst(k, df)
            return integrate("_studentized_range_moment", numbers, [whole, positive, ends])

        return over(of_one, K, k, df)

    return _cdf, _pdf, _munp
