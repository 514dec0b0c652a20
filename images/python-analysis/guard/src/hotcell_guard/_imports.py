"""The run's ``__import__``: the rules again, now with the modules at hand."""

from __future__ import annotations

import builtins

from hotcell_guard import _advice, _rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["guarded_import"]

_Module = type(builtins)


def guarded_import(rules: _rules.Rules, imported: Callable[[], None]) -> Callable[..., object]:
    """Make the run's ``__import__``; imported is called after each import."""
    real = builtins.__import__

    def __import__(  # noqa: A001, N807  # it takes the builtin's place
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = None,
        level: int = 0,
    ) -> object:
        if type(fromlist) is list:
            # PyImport_Import: native code that the script called directly needs a
            # module of its own (datetime.strptime imports _strptime). It finds it
            # in sys.modules; nothing is handed out.
            real(str.__str__(name))
            return None
        names = tuple(str.__str__(item) for item in fromlist or ())
        name = str.__str__(name)
        _check_names(rules, name, names, level)
        module = real(name, None, None, names, 0)
        imported()
        _check_modules(rules, name, names, module)
        return module

    return __import__


def _check_names(rules: _rules.Rules, name: str, names: tuple[str, ...], level: int) -> None:
    if level != 0:
        raise ImportError("relative imports are not available")
    if name == "__future__" or name in rules.imports:
        return
    if not names or any(f"{name}.{item}" not in rules.imports for item in names):
        raise ImportError(f"{name!r} may not be imported", name=name)


def _check_modules(rules: _rules.Rules, name: str, names: tuple[str, ...], module: object) -> None:
    """Refuse a name that turns out to be a module which is not listed itself.

    ``from pandas.io.common import codecs`` names no module that a reader could see.
    """
    for item in names:
        full = f"{name}.{item}"
        value = getattr(module, item, None)
        if isinstance(value, _Module) and full not in rules.imports and value.__name__ not in rules.imports:
            advice = _advice.instead_of_import(full, rules)
            raise ImportError(f"{full!r} is a module that may not be imported; {advice}", name=full)
