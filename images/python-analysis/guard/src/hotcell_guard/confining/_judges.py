"""What the audit hook does with each event. Every function here is sealed before it is used.

A name that is bound nowhere in a function is a constant that ``_audit`` gives it, or one
of Python's builtins. The functions call each other and C functions, and nothing that is
looked up while they run. ``getframe(n)`` counts from the function that asks: the event
comes from the frame above ``look``, which is the door (``_seal``): nothing below it is
ever in a traceback.
"""

from __future__ import annotations

# pylint: disable=used-before-assignment  # sealed functions get their constants by name
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    # The constants.
    AST: Any
    BUNDLE: tuple[str, ...]
    CLOSED: frozenset[int]
    CODE: tuple[str, ...]
    CONNECTORS: frozenset[str]
    CodeType: Any
    DOOR: dict[str, object]
    EACCES: int
    EVENTS: int
    FAMILIES: frozenset[str]
    FILES: frozenset[str]
    FLAGS: int
    FROZEN: str
    FUNCTION: str
    FrameType: Any
    FunctionType: Any
    GENERATORS: frozenset[str]
    HANDLERS: dict[str, Any]
    HEADER: int
    HINTS: frozenset[str]
    HIDDEN: tuple[str, ...]
    IMPORTERS: frozenset[str]
    EXCHANGERS: frozenset[str]
    MAKERS: tuple[Any, ...]
    MARK: bytes
    MOST_LINKS: int
    PARSERS: frozenset[str]
    PLACE: int
    PRELUDE: str
    PURE: set[type]
    READ: tuple[str, ...]
    REASONS: dict[str, str]
    REFERRING: frozenset[type]
    RULES: Any
    Refused: type[Exception]
    SEALED: dict[str, object]
    TOOL: int
    TYPED: frozenset[str]
    WRITE: tuple[str, ...]
    WRITING: int
    close_file: Any
    coding: Any
    decode: Any
    exact: Any
    getcwd: Any
    getframe: Any
    open_file: Any
    read_file: Any
    readlink: Any
    set_events: Any
    vet: Any


def look(event: str, arguments: tuple[Any, ...]) -> None:
    """Look at one event: this is the hook."""
    error = judge(event, arguments)
    if error is not None:
        raise error


def judge(event: str, arguments: tuple[Any, ...]) -> BaseException | None:
    """Return what has to be raised. A check that breaks has refused."""
    try:
        handler = HANDLERS.get(event, 0)
        if handler:
            handler(arguments)
        elif handler is None or event.partition(".")[0] in FAMILIES:
            forbidden(event)
    except BaseException as error:  # pylint: disable=broad-exception-caught
        error.__context__ = error.__cause__ = None
        return error.with_traceback(None)
    return None


def forbidden(event: str) -> None:
    """Refuse what no run may do."""
    why = REASONS.get(event.partition(".")[0])
    refuse(f"{event} is not available in this run" + (f"; {why}" if why else ""))


def refuse(reason: str, *place: str | None) -> NoReturn:
    """Raise what libraries know how to treat."""
    if place and place[0] is not None:
        raise PermissionError(EACCES, reason, place[0])
    raise PermissionError(EACCES, reason)


def path(given: object) -> str | None:
    """Return the absolute path as exact text, or None: a subclass could answer differently the second time."""
    if isinstance(given, str):
        name = exact(given)
    elif type(given) is bytes:
        name = decode(given, "utf-8", "surrogateescape")
    else:
        return None
    if not name.startswith("/"):
        name = getcwd() + "/" + name
    parts = []
    for part in name.split("/"):
        if part == "..":
            return real(name)  # it may leave a directory behind a link that the image holds
        if part and part != ".":
            parts.append(part)
    return "/" + "/".join(parts)


def real(name: str) -> str | None:
    """Return the absolute path with its links followed, as the kernel does."""
    pending = name.split("/")
    pending.reverse()
    done, links = "", 0
    while pending:
        part = pending.pop()
        if part == "..":
            done = done.rpartition("/")[0]
        elif part and part != ".":
            try:
                target = readlink(done + "/" + part)
            except (OSError, ValueError):
                done = done + "/" + part
                continue
            links += 1
            if links > MOST_LINKS:
                return None
            if target.startswith("/"):
                done = ""
            more = target.split("/")
            more.reverse()
            pending.extend(more)
    return done or "/"


def may_write(name: str) -> bool:
    """Tell whether what is at this path may be made, changed or removed."""
    return name == "/dev/null" or (name + "/").startswith(WRITE) and not (name + "/").startswith(BUNDLE)


def opened(arguments: tuple[Any, ...]) -> None:
    """Look at what is opened."""
    target, mode, flags = arguments
    if type(target) is int:
        if target in CLOSED:
            refuse("this descriptor cannot be opened")
        return
    name = path(target)
    writes = type(flags) is not int or flags & WRITING
    if type(mode) is str:  # C's fopen tells no flags
        writes = writes or "w" in mode or "a" in mode or "+" in mode or "x" in mode
    hidden = name is None or (name + "/").startswith(HIDDEN)
    if name is None or hidden or not (may_write(name) if writes else (name + "/").startswith(READ)):
        refuse(f"this file may not be {'written' if writes else 'read'}; read below DATA, write below OUTPUT", name)


def changed(arguments: tuple[Any, ...]) -> None:
    """Look at what is made, changed or removed. With a directory's descriptor nobody knows where that is."""
    name = path(arguments[0])
    if name is None or not may_write(name) or (len(arguments) > PLACE and arguments[PLACE] != -1):
        refuse("only what is below OUTPUT and /tmp can be changed", name)


def renamed(arguments: tuple[Any, ...]) -> None:
    """Look at both paths."""
    for given in arguments[:2]:
        name = path(given)
        if name is None or not may_write(name) or arguments[2:] != (-1, -1):
            refuse("only what is below OUTPUT and /tmp can be changed", name)


def listed(arguments: tuple[Any, ...]) -> None:
    """Look at the directory: the working directory and one that was opened have been looked at."""
    target = arguments[0] if arguments else None
    if target is None or type(target) is int:
        return
    name = path(target)
    if name is None or not (name + "/").startswith(READ) or (name + "/").startswith(HIDDEN):
        refuse("this directory may not be listed; look below DATA and OUTPUT", name)


def descriptor(arguments: tuple[Any, ...]) -> None:
    """Look at what is done to a descriptor."""
    if type(arguments[0]) is not int or arguments[0] in CLOSED:
        refuse("this descriptor cannot be used")


def known(depth: int) -> bool:
    """Tell whether the frame is one of code that the image holds."""
    file = getframe(depth).f_code.co_filename
    return type(file) is str and file.startswith(CODE)


def read(arguments: tuple[Any, ...]) -> None:
    """Keep what leads to frames and code to libraries, and what is sealed to nobody.

    Raised for tb_frame, gi_frame, f_code, __code__ and the like, also when C reads them
    for a pattern or a key function: then the frame is that of the script.
    """
    owner, name = arguments[:2]
    if type(owner) is FrameType:
        if owner.f_globals is SEALED:
            refuse(f"the attribute {name!r} is not available in this run")
        if getframe(3).f_globals is SEALED:
            return  # the hook itself looks who asks
    elif type(owner) is FunctionType and (owner.__globals__ is SEALED or owner.__globals__ is DOOR):
        refuse(f"the attribute {name!r} is not available in this run")
    if not known(4):
        refuse(f"the attribute {name!r} is not available in this run")


def attribute_changed(arguments: tuple[Any, ...]) -> None:
    """Let nobody but the guard give a function other code, and only libraries other defaults or names.

    And let no library make an object of the script's one of its own: what was found to be
    all the script's is used without a further look.
    """
    owner, name, value = (*arguments, None)[:3]
    if name == "__class__" and type(owner) in PURE and value not in PURE:
        refuse("an object of a class of the script's cannot become one of a library's")
    own = type(owner) is FunctionType and (owner.__globals__ is SEALED or owner.__globals__ is DOOR)
    exchanged = name == "__code__" and getframe(3).f_code.co_filename not in EXCHANGERS
    if exchanged or own or not known(4):
        refuse(f"the attribute {name!r} is not available in this run")


def referents(arguments: tuple[Any, ...]) -> None:
    """Let pandas look whether a table is still referred to, and nobody what code refers to."""
    code = getframe(3).f_code
    if code.co_filename not in FILES or code.co_qualname != FUNCTION:
        refuse("gc.get_referents is not available in this run")
    for each in arguments[0]:
        if type(each) in REFERRING:
            refuse("gc.get_referents is not available in this run")


def image(name: str) -> bytes:
    """Return what is in a file of the image."""
    number = open_file(name, FLAGS)
    try:
        parts = []
        while part := read_file(number, 1048576):
            parts.append(part)
    finally:
        close_file(number)
    return b"".join(parts)


def compiled(arguments: tuple[Any, ...]) -> None:
    """Look at text, or a tree, that becomes code, and at whose it says that it is.

    Code says by its file's name whether the image holds it, and known() believes it.
    So that name is given only to the text that is in that file.
    """
    source, name = arguments[:2]
    frame = getframe(3)
    file = frame.f_code.co_filename
    while file in PARSERS and frame.f_back is not None:
        frame = frame.f_back
        file = frame.f_code.co_filename
    if type(name) is bytes:
        name = name.decode("utf-8", "surrogateescape")
    if file in IMPORTERS:  # a module's text is the image's: one that would pass as a script is none of it either
        if type(name) is not str or not name.startswith(CODE) or type(source) is not bytes or image(name) != source:
            refuse("this module is not in the image")
        return
    if source is None:
        return
    if isinstance(source, AST):
        if file not in GENERATORS:  # a tree can be made by hand, and the event does not tell the name
            refuse("a tree may not be compiled")
        return
    if type(name) is not str or name.startswith(CODE) or name.startswith(FROZEN):
        refuse("this code may not have the name of a file of the image")
    if file in GENERATORS:
        return
    given = text(source)
    if given == PRELUDE:
        return
    try:
        # _evaluation looks at hints again when they are evaluated, and whose they are.
        vet(given, RULES, private=file in HINTS)
    except Refused as refused:
        refuse(f"this expression may not be evaluated: {refused}")


def text(source: object) -> Any:
    """Return what Python compiles. The parser raises the event a second time with bytes, in UTF-8.

    Bytes that a library was given are obeyed when a comment names another encoding.
    """
    if isinstance(source, str):
        return exact(source)
    if type(source) is not bytes:
        refuse("only text may be evaluated")
    if b"#" in source and coding(source) or source.startswith(MARK):
        refuse("this expression may not be evaluated: it names an encoding")
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError:
        refuse("this expression may not be evaluated: it is not UTF-8")


def killed(arguments: tuple[Any, ...]) -> None:
    """Let the reader of a session's frames tell the script's thread (_interrupts). Nobody else is sealed and asks for this."""
    if getframe(3).f_globals is not SEALED:
        refuse("signal.pthread_kill is not available in this run")


def connected(arguments: tuple[Any, ...]) -> None:
    """Let the guard's own module open a database in memory."""
    database = arguments[0]
    if type(database) is not str or database != ":memory:" or getframe(3).f_code.co_filename not in CONNECTORS:
        refuse("sqlite3.connect is not available in this run")


def unmarshalled(arguments: tuple[Any, ...]) -> None:
    """Let code that was compiled before come from a file of the image, and from nowhere else."""
    frame = getframe(3)
    if frame.f_code.co_filename in IMPORTERS and frame.f_code.co_name == "_compile_bytecode":
        name = frame.f_locals.get("bytecode_path")
        if type(name) is str and name.startswith(CODE) and ".." not in name:
            if image(name)[HEADER:] == arguments[0]:
                return
    refuse("only modules of the image can be loaded")


def made(arguments: tuple[Any, ...]) -> None:
    """Let the guard put helpers into the script's code, and nobody else make code that was never compiled."""
    maker = getframe(3).f_code
    for each in MAKERS:
        if maker is each:  # code objects of one content are equal
            return
    refuse("code.__new__ is not available in this run")


def executed(arguments: tuple[Any, ...]) -> None:
    """Let libraries execute what was compiled from text, and see that it is counted."""
    code = arguments[0]
    if type(code) is CodeType and not code.co_filename.startswith(CODE):
        file = getframe(3).f_code.co_filename
        if not file.startswith(CODE):
            refuse("text may not be executed")
        if file not in TYPED:
            watch(code)


def watch(code: Any) -> None:
    """Count what this code does, and all code that is nested in it."""
    pending = [code]
    while pending:
        each = pending.pop()
        set_events(TOOL, each, EVENTS)
        for constant in each.co_consts:
            if type(constant) is CodeType:
                pending.append(constant)


def watch_nothing(code: Any) -> None:
    """Count nothing: there is no budget."""
