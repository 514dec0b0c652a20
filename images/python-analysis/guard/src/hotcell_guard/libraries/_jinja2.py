"""jinja2, which makes Python of templates: for pandas' own, before a script begins, and for no others.

No object of jinja2 gets into a script's hands: a table's templates are held by functions.
"""

from __future__ import annotations

import builtins
import sys

from hotcell_guard.libraries import _importing
from hotcell_guard.libraries._changes import generate_before_scripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

    from hotcell_guard.libraries._changes import Changes, Means

__all__ = ["changes"]

_TABLES: Final = "pandas.io.formats.style_render"
_TEMPLATES: Final = "template_html template_html_table template_html_style template_latex template_string".split()
_INCLUDED: Final = ("latex_longtable.tpl", "latex_table.tpl")
_PARSERS: Final = {
    "parse_wrap": "_parse_latex_table_wrapping",
    "parse_table": "_parse_latex_table_styles",
    "parse_cell": "_parse_latex_cell_styles",
    "parse_header": "_parse_latex_header_span",
}
"""What pandas gives the templates of LaTeX, by the names that it gives them."""


def changes(_: Means) -> Changes:
    """Return the change to each module."""
    return {
        "jinja2.environment": _compile_before_scripts,
        "jinja2.debug": generate_before_scripts,
        "jinja2.utils": lambda module: setattr(module, "import_string", _import_nothing),
        _TABLES: _hold_templates,
        "pandas.io.formats.style": _take_no_templates,
    }


def _compile_before_scripts(module: Any) -> None:
    generate_before_scripts(module)

    def compile_early(*args: Any) -> Any:
        if _importing.has_begun():
            raise PermissionError("templates are not compiled while a script runs; write the text with f-strings")
        return builtins.compile(*args)

    def handle_exception(_: Any, source: str | None = None) -> NoReturn:
        raise  # pylint: disable=misplaced-bare-raise  # else it makes code, for the traceback

    module.compile = compile_early
    module.import_string = _import_nothing
    module.Environment.handle_exception = handle_exception


def _import_nothing(name: str, silent: bool = False) -> NoReturn:
    """Extensions are loaded by their names."""
    raise ImportError(f"{name!r} may not be loaded by name from here")


class _Drawing:
    """What a table draws itself with. Nobody can change it: all tables have the same."""

    __slots__ = ("_render",)

    def __init__(self, render: Any) -> None:
        self._render = render

    @property
    def globals(self) -> dict[str, object]:
        """What pandas puts there is in the template already."""
        return {}

    def render(self, **values: Any) -> str:
        """Draw a table of pandas': what a script gave would be handed jinja2's own objects."""
        if sys._getframe(1).f_globals is not vars(sys.modules[_TABLES]):
            raise PermissionError("a template takes the values of pandas' own tables; use to_html(), to_latex() or to_string()")
        return self._render(values)  # type: ignore[no-any-return]


def _hold_templates(module: Any) -> None:
    """Compile pandas' templates, and let its tables have functions that render them."""
    renderer = module.StylerRenderer
    renderer.env.auto_reload = False
    real = {name: getattr(renderer, name) for name in _TEMPLATES}
    for name in _INCLUDED:
        renderer.env.get_template(name)
    for name, function in _PARSERS.items():
        real["template_latex"].globals[name] = getattr(module, function)
    included = {"html_table_tpl": real["template_html_table"], "html_style_tpl": real["template_html_style"]}
    for name, template in real.items():
        own = {**included, **{each: template.globals[each] for each in _PARSERS if each in template.globals}}
        setattr(renderer, name, _Drawing(_renderer(template, own)))
    renderer.env = renderer.loader = None


def _renderer(template: Any, own: dict[str, Any]) -> Any:
    def render(values: dict[str, Any]) -> str:
        return str(template.render({**values, **own}))

    return render


def _take_no_templates(module: Any) -> None:
    def from_custom_template(_: Any, /, *__: Any, **___: Any) -> NoReturn:
        """Refuse templates of a script's: they become Python."""
        raise PermissionError("a table takes no templates of a script's; use format(), set_table_styles() and to_html()")

    module.Styler.from_custom_template = classmethod(from_custom_template)
