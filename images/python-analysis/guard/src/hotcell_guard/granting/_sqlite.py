"""``sqlite3`` for the script: databases in memory, and nothing of Python's own connections.

SQLite opens files in native code, where no audit event tells of it (``ATTACH``, ``VACUUM
INTO``, a temporary file), and who holds a connection of Python's can take its authorizer
away. So a script holds objects of this module's. The connection behind one is in a slot
to which no name leads. Its authorizer lets SQL do what stays in memory.
"""

from __future__ import annotations

import datetime
import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Final, NoReturn

__all__ = ["contents"]

_MEMORY: Final = ":memory:"
_ALLOWED: Final = frozenset((*range(1, 19), *range(20, 24), 26, 27, 28, 32, 33))
"""SQLite's action codes, but for pragmas (19), functions (31), ATTACH and DETACH (24, 25) and virtual tables (29, 30)."""
_READ, _PRAGMA, _FUNCTION = 20, 19, 31
_PRAGMAS: Final = frozenset(
    """
    application_id auto_vacuum busy_timeout cache_size case_sensitive_like collation_list compile_options count_changes
    database_list defer_foreign_keys encoding foreign_key_check foreign_key_list foreign_keys freelist_count
    full_column_names function_list ignore_check_constraints index_info index_list index_xinfo integrity_check
    page_count page_size quick_check recursive_triggers short_column_names synchronous table_info table_list table_xinfo
    user_version
    """.split()
)
_TABLES_REFUSED: Final = frozenset("bytecode dbstat sqlite_dbdata sqlite_dbpage sqlite_dbptr sqlite_stmt tables_used".split())
_FUNCTIONS_REFUSED: Final = frozenset("edit fts3_tokenizer fts5 load_extension readfile writefile zipfile".split())
_LEVELS: Final = (None, "", "DEFERRED", "IMMEDIATE", "EXCLUSIVE")
_MOST_BYTES: Final = 256 << 20
"""Of one text or blob."""
_MOST_STEPS: Final = 1_000_000
"""Of SQLite's machine, between two looks whether the statement goes on."""
_TEXT_DATES: Final[dict[type, Callable[[Any], str]]] = {
    datetime.datetime: lambda value: datetime.datetime.isoformat(value, " "),
    datetime.date: datetime.date.isoformat,
}
_CONSTANTS: Final = (
    "Error Warning InterfaceError DatabaseError DataError OperationalError IntegrityError InternalError ProgrammingError "
    "NotSupportedError PARSE_DECLTYPES PARSE_COLNAMES SQLITE_OK apilevel paramstyle threadsafety sqlite_version "
    "sqlite_version_info Binary Date Time Timestamp"
).split()
_NOT_THERE: Final = {
    **dict.fromkeys("create_function create_aggregate create_collation create_window_function".split(), "compute it with pandas"),
    **dict.fromkeys("backup serialize deserialize blobopen".split(), "write the rows with pandas: to_csv(OUTPUT / 'rows.csv')"),
    **dict.fromkeys("load_extension enable_load_extension".split(), "no native code is loaded"),
}


def _alone(held: tuple[Any, list[bool]], act: Callable[[Any], Any]) -> Any:
    """Do something with the real connection, or cursor, and nothing else meanwhile.

    What SQLite asks in the middle of it is Python's, which may collect what a script has dropped: a finaliser of the
    script's that used the connection then would take from SQLite what it is working on.
    """
    real, busy = held
    if busy:
        raise sqlite3.ProgrammingError("the connection is at work: it can be used again when the call has ended")
    busy.append(True)
    try:
        return act(real)
    finally:
        busy.clear()


def contents() -> dict[str, object]:
    """Return what the module holds."""
    constants = {name: getattr(sqlite3, name) for name in _CONSTANTS}
    own = connect, complete_statement, Connection, Cursor, Row
    return {**constants, **{each.__name__: each for each in own}}


def connect(
    database: Any,
    timeout: float = 5.0,
    detect_types: int = 0,
    isolation_level: Any = "",
    check_same_thread: bool = True,
    factory: Any = None,
    cached_statements: int = 128,
    uri: bool = False,
) -> Connection:
    """Open a database in memory."""
    if type(database) is not str or database != _MEMORY or uri:
        raise PermissionError("sqlite3.connect() takes ':memory:' here and opens no file; load it with pandas, and to_sql() it")
    if detect_types or factory not in (None, Connection):
        raise sqlite3.NotSupportedError("no detect_types and no factory here; convert the columns with pandas")
    real = sqlite3.connect(_MEMORY, isolation_level=_level(isolation_level))
    _confine(real)
    made = Connection.__new__(Connection)
    _set_connection(made, (real, []))
    made.row_factory = None
    return made


def _level(value: Any) -> Any:
    exact = str.__str__(value).upper() if isinstance(value, str) else value
    if exact is not None and exact not in _LEVELS:
        raise ValueError("isolation_level must be None, '', 'DEFERRED', 'IMMEDIATE' or 'EXCLUSIVE'")
    return exact


def _confine(real: sqlite3.Connection) -> None:
    """Leave a connection what stays in memory. The authorizer comes last: nothing that it refuses is asked before."""
    real.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    real.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
    real.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_BYTES)
    real.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    real.setconfig(sqlite3.SQLITE_DBCONFIG_TRUSTED_SCHEMA, False)
    real.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, False)
    real.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, False)
    real.execute("PRAGMA temp_store = MEMORY")
    real.set_progress_handler(_go_on, _MOST_STEPS)
    real.set_authorizer(_authorize)


def _go_on() -> int:
    """Do nothing: here an interrupt comes through that a session's host has sent, and ends the statement."""
    return 0


def _authorize(action: int, first: str | None, second: str | None, database: str | None, source: str | None) -> int:
    """Tell SQLite whether a statement may do something."""
    if action == _PRAGMA:
        allowed = first is not None and first.lower() in _PRAGMAS
    elif action == _FUNCTION:
        allowed = second is not None and second.lower() not in _FUNCTIONS_REFUSED
    elif action == _READ:
        allowed = first is None or first.lower() not in _TABLES_REFUSED
    else:
        allowed = action in _ALLOWED
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def complete_statement(statement: str) -> bool:
    """Tell whether a text holds a complete SQL statement."""
    return sqlite3.complete_statement(str.__str__(statement))


def _statement(sql: Any) -> str:
    if not issubclass(type(sql), str):
        raise TypeError(f"a statement is a text, not {type(sql).__name__!r}")
    return str.__str__(sql)


def _bound(parameters: Any) -> Any:
    """Return the parameters of a statement with exact values: SQLite asks no code of the script's while it works."""
    if issubclass(type(parameters), dict):
        return {str.__str__(name): _value(each) for name, each in dict.items(parameters)}
    return tuple(_value(each) for each in parameters)


def _value(value: Any) -> Any:
    kind = type(value)
    if value is None or kind in (int, float, str, bytes):
        return value
    for base, exact in ((int, int.__index__), (float, float.__float__), (str, str.__str__)):
        if issubclass(kind, base):
            return exact(value)
    if issubclass(kind, (bytes, bytearray, memoryview)):
        return bytes(memoryview(value))
    if kind in _TEXT_DATES:
        return _TEXT_DATES[kind](value)
    advice = "give int(x), float(x), str(x) or None"
    raise sqlite3.ProgrammingError(f"a parameter of type {kind.__name__!r} is not supported; {advice}")


class Row:
    """A row that knows its columns' names."""

    __slots__ = ("_names", "_values")

    def __init__(self, cursor: Any, data: Iterable[Any], /) -> None:
        self._names = tuple(each[0] for each in cursor.description or ())
        self._values = tuple(data)

    def keys(self) -> list[str]:
        """Return the columns' names."""
        return list(self._names)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self._values[key]
        names = [each.lower() for each in self._names]
        if key.lower() not in names:
            raise IndexError("No item with that key")
        return self._values[names.index(key.lower())]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return (self._names, self._values) == (other._names, other._values) if type(other) is Row else NotImplemented

    def __hash__(self) -> int:
        return hash((self._names, self._values))


class Cursor:
    """Runs statements, one after the other."""

    __slots__ = ("_real", "connection", "row_factory")
    _real: tuple[sqlite3.Cursor, list[bool]]

    def __init__(self, connection: Connection, /) -> None:
        held = _connection(connection)
        _set_cursor(self, (_alone(held, lambda real: real.cursor()), held[1]))
        self.connection, self.row_factory = connection, connection.row_factory

    def execute(self, sql: str, parameters: Any = (), /) -> Cursor:
        """Run a statement."""
        statement, values = _statement(sql), _bound(parameters)
        _alone(_cursor(self), lambda real: real.execute(statement, values))
        return self

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Cursor:
        """Run a statement for each of the parameters."""
        statement, rows = _statement(sql), [_bound(each) for each in parameters]
        _alone(_cursor(self), lambda real: real.executemany(statement, rows))
        return self

    def executescript(self, sql_script: str, /) -> Cursor:
        """Run several statements."""
        statements = _statement(sql_script)
        _alone(_cursor(self), lambda real: real.executescript(statements))
        return self

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        row = _alone(_cursor(self), lambda real: real.fetchone())
        return None if row is None else self._made(row)

    def fetchmany(self, size: int | None = None) -> list[Any]:
        """Return the next rows."""
        most = self.arraysize if size is None else int.__index__(size)
        rows = _alone(_cursor(self), lambda real: real.fetchmany(most))
        return [self._made(row) for row in rows]

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""
        rows = _alone(_cursor(self), lambda real: real.fetchall())
        return [self._made(row) for row in rows]

    def _made(self, row: Any) -> Any:
        return row if self.row_factory is None else self.row_factory(self, row)

    def __iter__(self) -> Cursor:
        return self

    def __next__(self) -> Any:
        row = _alone(_cursor(self), next)
        return self._made(row)

    def close(self) -> None:
        """Close the cursor."""
        _alone(_cursor(self), lambda real: real.close())

    def setinputsizes(self, sizes: object, /) -> None:
        """Do nothing."""

    def setoutputsize(self, size: object, column: object = None, /) -> None:
        """Do nothing."""

    @property
    def description(self) -> Any:
        """The columns of the last statement, or None."""
        return _cursor(self)[0].description

    @property
    def rowcount(self) -> int:
        """How many rows the last statement changed."""
        return int(_cursor(self)[0].rowcount)

    @property
    def lastrowid(self) -> int | None:
        """The number of the row that was inserted last."""
        number: int | None = _cursor(self)[0].lastrowid
        return number

    @property
    def arraysize(self) -> int:
        """How many rows fetchmany() returns."""
        return int(_cursor(self)[0].arraysize)

    @arraysize.setter
    def arraysize(self, size: int) -> None:
        _cursor(self)[0].arraysize = int.__index__(size)


class Connection:
    """A database in memory."""

    __slots__ = ("__weakref__", "_real", "row_factory")
    _real: tuple[sqlite3.Connection, list[bool]]
    row_factory: Any

    def __init__(self, *args: object, **options: object) -> None:
        raise TypeError("a connection is made by sqlite3.connect(':memory:')")

    def __getattr__(self, name: str) -> NoReturn:
        advice = f"; {_NOT_THERE[name]}" if name in _NOT_THERE else ""
        raise AttributeError(f"a connection has no {name!r} here{advice}")

    def cursor(self) -> Cursor:
        """Return a new cursor."""
        return Cursor(self)

    def execute(self, sql: str, parameters: Any = (), /) -> Cursor:
        """Run a statement with a new cursor, and return that."""
        return Cursor(self).execute(sql, parameters)

    def executemany(self, sql: str, parameters: Iterable[Any], /) -> Cursor:
        """Run a statement for each of the parameters."""
        return Cursor(self).executemany(sql, parameters)

    def executescript(self, sql_script: str, /) -> Cursor:
        """Run several statements."""
        return Cursor(self).executescript(sql_script)

    def commit(self) -> None:
        """Commit the open transaction, if there is one."""
        _alone(_connection(self), lambda real: real.commit())

    def rollback(self) -> None:
        """Roll back to the start of the open transaction."""
        _alone(_connection(self), lambda real: real.rollback())

    def close(self) -> None:
        """Close the database, which is gone then."""
        _alone(_connection(self), lambda real: real.close())

    def iterdump(self) -> Iterator[str]:
        """Yield the statements that make the database again."""
        return iter(_alone(_connection(self), lambda real: list(real.iterdump())))

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            self.commit()
        else:
            self.rollback()

    @property
    def in_transaction(self) -> bool:
        """Whether there is something to be committed."""
        return bool(_connection(self)[0].in_transaction)

    @property
    def total_changes(self) -> int:
        """How many rows have been changed."""
        return int(_connection(self)[0].total_changes)

    @property
    def isolation_level(self) -> Any:
        """How transactions begin; None: not by themselves."""
        return _connection(self)[0].isolation_level

    @isolation_level.setter
    def isolation_level(self, value: Any) -> None:
        level = _level(value)
        _alone(_connection(self), lambda real: setattr(real, "isolation_level", level))


def _slot(kind: type) -> tuple[Callable[[Any], Any], Callable[[Any, Any], None]]:
    """Return what reads and sets a class's slot, and let no name lead to it."""
    slot = vars(kind)["_real"]
    del kind._real  # type: ignore[attr-defined]
    kind.__module__ = "sqlite3"
    return slot.__get__, slot.__set__


_connection, _set_connection = _slot(Connection)
_cursor, _set_cursor = _slot(Cursor)
Row.__module__ = "sqlite3"
