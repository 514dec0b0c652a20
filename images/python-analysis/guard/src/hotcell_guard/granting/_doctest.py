"""``doctest`` for the script: the examples in its own docstrings, each checked and run as text that it evaluates."""

from __future__ import annotations

import io
import re
import sys
import traceback
from collections import namedtuple
from types import FunctionType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any, Final

    Names = dict[str, Any]

__all__ = ["contents"]

FLAGS: Final = {
    "DONT_ACCEPT_BLANKLINE": 2, "NORMALIZE_WHITESPACE": 4, "ELLIPSIS": 8, "SKIP": 16,
    "IGNORE_EXCEPTION_DETAIL": 32, "FAIL_FAST": 1024,
}  # fmt: skip
_DIVIDER: Final = "*" * 70
_RAISES: Final = "Traceback (most recent call last):\n    ...\n"
_BLANK: Final = re.compile(r"(?m)^<BLANKLINE>\s*?$")
_OPTIONS: Final = re.compile(r"#\s*doctest:\s*([^\n'\"]*)$", re.MULTILINE)
_EXAMPLE: Final = re.compile(
    r"(?P<source>^(?P<indent>[ ]*)>>>.*(?:\n[ ]*\.\.\..*)*)\n?(?P<want>(?:(?![ ]*$)(?![ ]*>>>).+$\n?)*)", re.MULTILINE
)
_RAISED: Final = re.compile(
    r"\s*Traceback \((?:most recent call last|innermost last)\):\s*$(?P<stack>.*?)^(?P<text>\w+.*)", re.M | re.S
)

TestResults = namedtuple("TestResults", ("failed", "attempted"))  # as Python's own


def contents(
    main: ModuleType | None, run: Callable[[str, Names], None] | None, own: Callable[[object], bool], script: Callable[[], str]
) -> Names:
    """Return what the module holds.

    main is the script's module as it may look at it, run runs one example with the names that it sees, own tells
    whether a function or class is the script's, and script its name.
    """

    def examined(docs: list[tuple[str, str]], globs: Any, flags: int, loud: bool, tell: bool) -> TestResults:
        if run is None:
            raise NotImplementedError("the examples of docstrings are text, and no text is run under this policy; write assert")
        counts = {}
        for name, text in docs:
            names = _names_of(main) if globs is None else dict(globs)
            counts[name] = _test(name, text, names, run, flags, loud, script())
        if tell:
            _summarize(counts, loud)
        return TestResults(sum(each[0] for each in counts.values()), sum(each[1] for each in counts.values()))

    def testmod(
        m: Any = None, name: str | None = None, globs: Any = None, verbose: bool | None = None, report: bool = True,
        optionflags: int = 0, extraglobs: Any = None, raise_on_error: bool = False, exclude_empty: bool = False,
    ) -> TestResults:  # fmt: skip
        """Run the examples in the docstrings of the script, and tell which failed."""
        if m is not None and m is not main:
            raise TypeError("doctest.testmod() tests the script itself here: leave the module out")
        seen = _names_of(main) if globs is None else globs
        given = None if globs is extraglobs is None else {**seen, **(extraglobs or {})}
        return examined(sorted(_docs(main, own)), given, optionflags, bool(verbose), report)

    def run_docstring_examples(
        f: Any, globs: Any, verbose: bool = False, name: str = "NoName", compileflags: Any = None, optionflags: int = 0
    ) -> None:
        """Run the examples in the docstring of one function or class of the script, and tell which failed."""
        if verbose:
            print(f"Finding tests in {name}")
        docs = [(name, f)] if isinstance(f, str) else _docs_of(f, name, own)
        examined(docs, globs, optionflags, bool(verbose), False)

    return {"testmod": testmod, "run_docstring_examples": run_docstring_examples, "TestResults": TestResults, **FLAGS}


def _names_of(main: Any) -> Names:
    return {name: getattr(main, name) for name in dir(main) if not name.startswith("__")}


def _docs(main: Any, own: Callable[[object], bool]) -> Iterator[tuple[str, str]]:
    """Yield the docstrings of the script and of what it has defined, by name."""
    text = vars(main)["__getattr__"]("__doc__") if "__doc__" in dir(main) else None  # a module's class has one, too
    if type(text) is str:
        yield "__main__", text
    for name, value in _names_of(main).items():
        yield from _docs_of(value, f"__main__.{name}", own)


def _docs_of(value: Any, name: str, own: Callable[[object], bool]) -> list[tuple[str, str]]:
    for holder in ("__func__", "fget", "__wrapped__"):  # what stands around a function
        inner = None if isinstance(value, type) else getattr(value, holder, None)
        value = inner if own(inner) else value
    if not own(value) or not isinstance(value, (type, FunctionType)):
        return []
    text = value.__doc__
    docs = [(name, text)] if type(text) is str and ">>>" in text else []
    for below, each in type.__getattribute__(value, "__dict__").items() if isinstance(value, type) else ():
        docs += _docs_of(each, f"{name}.{below}", own)
    return docs


def _test(
    name: str, text: str, names: Names, run: Callable[[str, Names], None], flags: int, loud: bool, script: str
) -> tuple[int, int]:
    """Run the examples of one docstring. Return how many failed, and how many there were."""
    failed = tried = 0
    for found in _EXAMPLE.finditer(text.expandtabs()):
        source, want = _parts(found)
        chosen = _flags(source, flags)
        if chosen & FLAGS["SKIP"] or not source.strip():
            continue
        tried += 1
        head = f"{_DIVIDER}\nFile \"{script}\", line ?, in {name}\nFailed example:\n{_indented(source)}"
        if loud:
            print(f"Trying:\n{_indented(source)}Expecting{_told(':', want) if want else ' nothing'}")
        got, error = _run(source, names, run)
        expected = _RAISED.match(want)
        if error is not None and expected is None:
            print(f"{head}Exception raised:\n{_indented(error)}", end="")
        elif _is_same(expected["text"] if expected else want, _message(error) if error and expected else got, chosen):
            if loud:
                print("ok")
            continue
        else:
            shown = error or got
            print(f"{head}Expected{_told(':', want) if want else ' nothing'}\nGot{_told(':', shown) if shown else ' nothing'}")
        failed += 1
        if chosen & FLAGS["FAIL_FAST"]:
            break
    return failed, tried


def _parts(found: re.Match[str]) -> tuple[str, str]:
    """Return an example's source and what is to come of it, without indents and prompts."""
    indent = len(found["indent"])
    source = "\n".join(line[indent + 4 :] for line in found["source"].split("\n"))
    want = "\n".join(line[indent:] for line in found["want"].rstrip().split("\n"))
    return source + "\n", want + "\n" if want else ""


def _flags(source: str, flags: int) -> int:
    for options in _OPTIONS.findall(source):
        for option in options.replace(",", " ").split():
            value = FLAGS.get(option[1:], 0)
            flags = flags | value if option[0] == "+" else flags & ~value
    return flags


def _run(source: str, names: Names, run: Callable[[str, Names], None]) -> tuple[str, str | None]:
    before, printed = sys.stdout, io.StringIO()
    sys.stdout = printed
    try:
        run(source, names)
    except Exception as error:  # pylint: disable=broad-exception-caught  # it is compared, or told
        return printed.getvalue(), _RAISES + "".join(traceback.format_exception_only(error))
    finally:
        sys.stdout = before
    return printed.getvalue(), None


def _message(error: str) -> str:
    return error.split("    ...\n", 1)[1]


def _is_same(want: str, got: str, flags: int) -> bool:
    want = want if not want or want.endswith("\n") else want + "\n"
    if flags & FLAGS["IGNORE_EXCEPTION_DETAIL"]:
        want, got = (each.partition(":")[0].rpartition(".")[2].strip() for each in (want, got))
    if not flags & FLAGS["DONT_ACCEPT_BLANKLINE"]:
        want = _BLANK.sub("", want)
        got = re.sub(r"(?m)^[^\S\n]+$", "", got)
    if flags & FLAGS["NORMALIZE_WHITESPACE"]:
        want, got = (" ".join(each.split()) for each in (want, got))
    if want == got or (want, got) in (("True\n", "1\n"), ("False\n", "0\n")):
        return True
    return bool(flags & FLAGS["ELLIPSIS"]) and _fits(want.split("..."), got)


def _fits(pieces: list[str], got: str) -> bool:
    """Tell whether a text is these pieces, with anything between two of them."""
    ends = len(pieces[0]) + len(pieces[-1])
    if len(pieces) < 2 or len(got) < ends or not (got.startswith(pieces[0]) and got.endswith(pieces[-1])):
        return False
    place, end = len(pieces[0]), len(got) - len(pieces[-1])
    for piece in pieces[1:-1]:
        found = got.find(piece, place, end)
        if found < 0:
            return False
        place = found + len(piece)
    return True


def _indented(text: str) -> str:
    return "".join(f"    {line}\n" if line else "\n" for line in text.removesuffix("\n").split("\n"))


def _told(mark: str, text: str) -> str:
    return f"{mark}\n{_indented(text)}".removesuffix("\n")


def _items(count: int) -> str:
    return f"{count} item" + "s" * (count != 1)


def _summarize(counts: dict[str, tuple[int, int]], loud: bool) -> None:
    failed, tried = (sum(each[place] for each in counts.values()) for place in (0, 1))
    bad = {name: count for name, count in sorted(counts.items()) if count[0]}
    good = [(name, count[1]) for name, count in sorted(counts.items()) if count[1] and not count[0]]
    if loud and good:
        print(f"{_items(len(good))} passed all tests:")
        for name, ran in good:
            print(f" {ran:3d} test{'s' * (ran != 1)} in {name}")
    if bad:
        print(f"{_DIVIDER}\n{_items(len(bad))} had failures:")
        for name, count in bad.items():
            print(f" {count[0]:3d} of {count[1]:3d} in {name}")
    if loud:
        print(f"{tried} test{'s' * (tried != 1)} in {_items(len(counts))}.")
        print(f"{tried - failed} passed{f' and {failed} failed' if failed else ''}.")
    if failed:
        print(f"***Test Failed*** {failed} failure{'s' * (failed != 1)}.")
    elif loud:
        print("Test passed.")
