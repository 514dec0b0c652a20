"""The inventory of places, and what is thought of each: ``docs/guard.md`` says how to use it.

    GUARD_PROGRAM=inventory.py scripts/test-guard.sh                # what is not classified
    GUARD_PROGRAM=inventory.py scripts/test-guard.sh --write        # take the image's places up
    GUARD_PROGRAM=inventory.py scripts/test-guard.sh --judge 'pandas.*:getattr' --reason '...'

``inventory/places.toml`` and ``src/hotcell_guard/libraries/_sites.py`` are made from the image.
``inventory/judgements.toml`` holds words of people; ``--write`` keeps them and drops those
whose place has gone.
"""

from __future__ import annotations

import argparse
import fnmatch
import gc
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
GUARD = HERE.parent
sys.path[:0] = [str(GUARD / "src"), str(GUARD)]

from hotcell_guard.confining import _audit, _warmup  # noqa: E402
from hotcell_guard.libraries import _matplotlib  # noqa: E402
from hotcell_guard.vetting import _floor, _rules  # noqa: E402
from tests import places  # noqa: E402
from tests.places import Place  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Final

PLACES: Final = GUARD / "inventory" / "places.toml"
JUDGEMENTS: Final = GUARD / "inventory" / "judgements.toml"
SITES: Final = GUARD / "src" / "hotcell_guard" / "libraries" / "_sites.py"
POLICIES: Final = Path(os.environ.get("POLICIES", "/run"))

DEPUTIES: Final = ("getattr", "setattr", "delattr", "vars")
FORMATS: Final = ("format", "format_map")
LOOKED_UP: Final = ("__dict__",)
"""Attributes whose look-up is rewritten."""
BUILTINS: Final = frozenset("getattr setattr delattr hasattr vars eval exec compile __import__ open globals".split())
_AT_IMPORT: Final = "<body>"

_EVENTS: Final = {
    "open": "open", "open_code": "open", "open as a value": "open", "ctypes": "ctypes.dlopen", "pickle": "pickle.find_class",
}  # fmt: skip
"""Sinks that cannot be reached without an event that the audit hook decides about."""

RULES: Final = {
    "import": "runs while its module is imported, before a script can have given it anything",
    "format": "the method of str itself is the guard's (_texts.guard_texts); measured",
    "look-up": "the module's look-ups of the attribute are rewritten when it is loaded (_lookups); measured",
    "deputy": "the module's global name for the builtin is the guard's; measured",
    "audited": "the audit hook decides about the event that it raises, whoever asked",
    "percent": "the operator reads items and calls str() and repr(), as the script itself may; no attribute",
    "asked": "hasattr answers yes or no, about an object that was given with the name",
    "protocol": "a special method that no script can name; what calls it (pickle, copy) is guarded",
    "floor": "a module of the standard library that no policy can list: no view shows it, and library code that hands "
    "it a name is a place of its own",
    "judged": "inventory/judgements.toml says why",
}
"""What a place can be, in the order of judging, and why that is enough."""


def policy_roots() -> set[str]:
    """Return what the shipped policies let a script import or have preloaded."""
    import yaml  # of the image

    found: set[str] = set()
    for file in (*POLICIES.glob("*.yaml"), *POLICIES.glob("imports/*.yaml")):
        policy = yaml.safe_load(file.read_text())
        guard = policy.get("guard") or {}
        found.update(policy.get("imports") or ())
        found.update(guard.get("imports") or ())
        found.update(each.partition(":")[0] for each in (guard.get("preloaded") or {}).values())  # math, or math:sqrt
    if not found:
        raise FileNotFoundError(f"no policies below {POLICIES}")
    return found


def roots() -> set[str]:
    """Return the modules from which everything that a run loads is imported."""
    found = policy_roots() | set(_warmup.ALWAYS) | set(_matplotlib.IMPORTABLE)
    found.update(name for late in _warmup.LATE for name in late.modules)
    for file in (GUARD / "src" / places.OWN).glob("*.py"):
        found.update(places.Source(f"{places.OWN}.{file.stem}", file).imports())
    return found | {"site", "encodings.utf_8", "encodings.idna"}


@dataclass
class Image:
    """What was read from the image's sources."""

    sources: dict[str, places.Source]
    loadable: set[str]
    found: Counter[Place]

    @classmethod
    def read(cls) -> Image:
        """Scan all modules that a run can load."""
        sources = places.sources()
        loadable = places.closure(sources, roots())
        found: Counter[Place] = Counter()
        gc.disable()  # trees hold no cycles, and looking for some takes a third of the time
        for name in loadable:
            found.update(sources[name].places())
        gc.enable()
        return cls(sources, loadable, found)

    def sites(self) -> dict[str, list[str]]:
        """Return the modules that need each deputy, and those that format."""
        modules: dict[str, set[str]] = defaultdict(set)
        for place in self.found:
            if _AT_IMPORT in place.qualname and not place.sink.endswith("value"):
                continue
            sink = place.sink.partition(" ")[0]
            if sink in DEPUTIES and not _is_standard(self.sources[place.module]):
                modules[sink].add(place.module)
            if sink in LOOKED_UP and not _is_standard(self.sources[place.module]):
                modules[sink].add(place.module)
        return {name: sorted(modules[name]) for name in (*DEPUTIES, *LOOKED_UP)}

    def unloaded(self) -> Iterator[tuple[str, Counter[str]]]:
        """Yield the modules that no run loads, with their sinks."""
        for name in sorted(self.sources.keys() - self.loadable):
            sinks: Counter[str] = Counter()
            for place, count in self.sources[name].places().items():
                sinks[place.sink] += count
            if sinks:
                yield name, sinks


def _is_standard(source: places.Source) -> bool:
    return source.path.is_relative_to(places.ROOTS[0])


@dataclass
class Measured:
    """What importing the modules under the guard's changes shows."""

    deputies: dict[str, list[str]]  # module: the builtins that its globals replace by the guard's
    lookups: dict[str, list[str]]  # module: the attributes whose look-ups in its code are rewritten
    texts: bool  # whether the format of every text is the guard's
    failed: dict[str, str]  # modules that cannot be imported in the image

    @classmethod
    def take(cls, modules: Iterable[str]) -> Measured:
        """Import the modules in a process of its own."""
        done = subprocess.run(
            [sys.executable, "-sB", str(HERE / "measured.py")],
            input=json.dumps(sorted(modules)), capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"measured.py failed: {done.stderr}")
        return cls(**json.loads(done.stdout.splitlines()[-1]))


class Judge:
    """Classifies places: by the rules first, then by what people have written."""

    def __init__(self, image: Image, measured: Measured, written: Mapping[str, str]) -> None:
        self._image = image
        self._measured = measured
        self._written = written

    def verdict(self, place: Place) -> str | None:
        """Return the name of the rule that makes the place safe, or None."""
        sink, module = place.sink, place.module
        builtin = sink.partition(" ")[0]
        if _AT_IMPORT in place.qualname and not sink.endswith("value"):
            return "import"
        if module in self._measured.failed:
            return "import"  # nothing of it can run
        if builtin in FORMATS and self._measured.texts:
            return "format"
        if builtin in LOOKED_UP and builtin in self._measured.lookups.get(module, ()):
            return "look-up"
        if builtin in BUILTINS and builtin != "open" and builtin in self._measured.deputies.get(module, ()):
            return "deputy"  # PIL has an open of its own
        if sink in _EVENTS and _is_audited(_EVENTS[sink]):
            return "audited"
        if sink in ("%", "hasattr"):
            return {"%": "percent", "hasattr": "asked"}[sink]
        if _is_unnamed(place.qualname):
            return "protocol"
        if _is_standard(self._image.sources[module]) and module.partition(".")[0] in _floor.DENIED_IMPORTS:
            return "floor"
        return "judged" if key(place) in self._written else None

    def unclassified(self) -> list[Place]:
        """Return the places that nothing makes safe."""
        return sorted(place for place in self._image.found if self.verdict(place) is None)


def _is_unnamed(qualname: str) -> bool:
    """Tell whether the function is a special method that the rules refuse in any spelling."""
    name = qualname.rpartition(".")[2]
    return _rules.is_dunder(name) and name not in _RUNNING and _rules.attribute_refusal(name, _NO_RULES) is not None


_NO_RULES: Final = _rules.Rules(frozenset(), frozenset(), frozenset())
_RUNNING: Final = frozenset(("__getattribute__", "__getattr__", "__set_name__", "__subclasscheck__", "__instancecheck__"))
"""Special methods that Python itself calls when a script reads an attribute or makes a class."""


def _is_audited(event: str) -> bool:
    return event in _audit.DECIDED or event.partition(".")[0] in _audit.DECIDED


def key(place: Place) -> str:
    """Return how a place is written in the files."""
    return f"{place.module}:{place.qualname}:{place.sink} {place.digest}"


def read_judgements(file: Path = JUDGEMENTS) -> dict[str, str]:
    """Return the reason of each judged place."""
    found: dict[str, str] = {}
    for each in tomllib.loads(file.read_text()).get("judgement", []):
        for line in filter(None, each["places"].splitlines()):
            if line in found:
                raise ValueError(f"{line} is judged twice")
            found[line] = each["reason"]
    return found


def write_judgements(written: Mapping[str, str]) -> None:
    """Write the reasons, each with its places, sorted."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for place, reason in written.items():
        by_reason[reason].append(place)
    blocks = [
        f'[[judgement]]\nreason = """\n{_wrapped(reason)}"""\nplaces = """\n' + "".join(f"{each}\n" for each in sorted(given)) + '"""\n'
        for reason, given in sorted(by_reason.items(), key=lambda item: min(item[1]))
    ]
    JUDGEMENTS.write_text(_HEAD_JUDGED + "\n" + "\n".join(blocks))


def _wrapped(reason: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(reason, 120))


_HEAD_JUDGED: Final = """\
# Words of people: why a place that no rule of tests/inventory.py covers gives a script
# nothing. Each place is a statement by its digest: a change of the library asks again.
"""
_HEAD_PLACES: Final = """\
# Made from the image by tests/inventory.py --write; not to be edited. Each place of a module that a run can
# load: function, sink, digest of the statement, and the rule that makes it safe, with a count where the
# statement holds several. At the end the modules that no run can load, with their sinks.
"""


def render(image: Image, judge: Judge) -> str:
    """Return the text of places.toml."""
    by_module: dict[str, list[str]] = defaultdict(list)
    for place, count in sorted(image.found.items()):
        verdict = judge.verdict(place) or "unclassified"
        value = f"{verdict} x{count}" if count > 1 else verdict
        by_module[place.module].append(f'"{place.qualname}:{place.sink} {place.digest}" = "{value}"\n')
    parts = [_HEAD_PLACES]
    parts += [f'\n["{module}"]\n{"".join(lines)}' for module, lines in sorted(by_module.items())]
    parts.append("\n[unloaded]\n")
    parts += [
        f'"{name}" = "{", ".join(f"{sink} x{count}" if count > 1 else sink for sink, count in sorted(sinks.items()))}"\n'
        for name, sinks in image.unloaded()
    ]
    return "".join(parts)


_HEAD_SITES: Final = '''\
"""Modules of the image that use names which they did not write.

Made from the image by ``tests/inventory.py --write``; not to be edited.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

__all__ = ["SITES"]

SITES: Final[Mapping[str, tuple[str, ...]]] = {
'''


def render_sites(sites: Mapping[str, list[str]]) -> str:
    """Return the text of _sites.py."""
    import textwrap

    parts = [_HEAD_SITES]
    for name, modules in sites.items():
        lines = textwrap.wrap(" ".join(modules), 112, break_long_words=False, break_on_hyphens=False)
        parts.append(f'    "{name}": tuple(\n        """\n')
        parts += [f"        {line}\n" for line in lines]
        parts.append('        """.split()\n    ),\n')
    parts.append('}\n"""The modules that need a checked form of each builtin, and of the look-up of ``__dict__``."""\n')
    return "".join(parts)


def check() -> list[str]:
    """Return what is wrong with the files, each with the way out."""
    image = Image.read()
    sites = image.sites()
    measured = Measured.take({name for modules in sites.values() for name in modules})
    written = read_judgements()
    judge = Judge(image, measured, written)
    found = faults(image, judge)
    known = {key(place) for place in image.found}
    found += [f"judged, and not in the image: {each}; {_REWRITE}" for each in sorted(written.keys() - known)]
    if not found and SITES.read_text() != render_sites(sites):
        found.append(f"{SITES.name} is not what the image needs; {_REWRITE}")
    if not found:
        found += _differences(image, judge)
    return found


def faults(image: Image, judge: Judge) -> list[str]:
    """Name each place that nothing makes safe, with the way out."""
    return [
        f"unclassified: {key(place)} ({image.sources[place.module].path}); {_WAY_OUT}" for place in judge.unclassified()
    ]


def _differences(image: Image, judge: Judge) -> list[str]:
    """Compare what is checked in, but for the modules that nobody loads: these are only named."""
    held = tomllib.loads(PLACES.read_text())
    listed = {f"{module}:{place}": rule for module, table in held.items() if module != "unloaded" for place, rule in table.items()}
    now = {key(place): judge.verdict(place) or "" for place in image.found}
    gone, new = listed.keys() - now.keys(), now.keys() - listed.keys()
    other = {place for place in now.keys() & listed.keys() if listed[place].partition(" ")[0] != now[place]}
    lost = set(held["unloaded"]) - (image.sources.keys() - image.loadable)
    return [f"places.toml differs from the image: {each}; {_REWRITE}" for each in sorted((*gone, *new, *other, *lost))]


_COMMAND: Final = "GUARD_PROGRAM=tests/inventory.py scripts/test-guard.sh"
_REWRITE: Final = f"run `{_COMMAND} --write`"
_WAY_OUT: Final = (
    "find out whether a script can choose the text or name there and the object that it is used on. If so write an attempt and "
    f"close it; if not say why: `{_COMMAND} --judge 'MODULE:FUNCTION:SINK' --reason '...'`, then `--write` (docs/guard.md)"
)


def main() -> int:
    """Check, or write."""
    parser = argparse.ArgumentParser(description="The inventory of places in the image's packages.")
    parser.add_argument("--write", action="store_true", help="take the image's places up")
    parser.add_argument("--judge", metavar="PATTERN", help="MODULE:FUNCTION:SINK of unclassified places, * for any")
    parser.add_argument("--reason", help="why the places of --judge give a script nothing")
    options = parser.parse_args()
    if options.judge:
        return _add(options.judge, options.reason)
    if options.write:
        return _write()
    found = check()
    print("\n".join(found))
    return 1 if found else 0


def _judged() -> tuple[Image, Judge, dict[str, str]]:
    image = Image.read()
    SITES.write_text(render_sites(image.sites()))
    written = read_judgements()
    known = {key(place) for place in image.found}
    kept = {place: reason for place, reason in written.items() if place in known}
    measured = Measured.take({name for modules in image.sites().values() for name in modules})
    rules = Judge(image, measured, {})
    needless = {key(place) for place in image.found if rules.verdict(place) is not None}
    kept = {place: reason for place, reason in kept.items() if place not in needless}
    return image, Judge(image, measured, kept), kept


def _write() -> int:
    image, judge, written = _judged()
    PLACES.write_text(render(image, judge))
    write_judgements(written)
    for place in judge.unclassified():
        print(f"unclassified: {key(place)}")
    return 0


def _add(pattern: str, reason: str) -> int:
    _, judge, written = _judged()
    added = [each for each in map(key, judge.unclassified()) if fnmatch.fnmatchcase(each.partition(" ")[0], pattern)]
    print("\n".join(added) or "no unclassified place is called so")
    write_judgements({**written, **dict.fromkeys(added, " ".join(reason.split()))})
    return 0 if added else 1


if __name__ == "__main__":
    sys.exit(main())
