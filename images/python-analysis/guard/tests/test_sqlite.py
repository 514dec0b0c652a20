"""``sqlite3`` as a script has it: databases in memory, and no file."""

from __future__ import annotations

import sqlite3
import unittest
from typing import Any

from tests.host import Host

OPEN = "import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table t (a integer, b text)')\n"
FILLED = f"{OPEN}c.executemany('insert into t values (?, ?)', [(1, 'x'), (2, None)])\nc.commit()\n"

WORK = {
    "tables and rows": (
        f"{FILLED}k = c.cursor()\nk.execute('insert into t values (:a, :b)', {{'a': True, 'b': str(1)}})\n"
        "result = [k.lastrowid, k.rowcount, c.in_transaction, c.total_changes, c.execute('select * from t order by a, b').fetchall()[:2],\n"
        "          [d[0] for d in c.execute('select a as n, b from t').description], list(c.execute('select sum(a) from t')),\n"
        "          c.execute('select a from t').fetchmany(2), k.fetchone(), k.arraysize, k.connection is c]",
        [3, 1, True, 3, [[1, "1"], [1, "x"]], ["n", "b"], [[4]], [[1], [2]], None, 1, True],
    ),
    "rows by name": (
        f"{FILLED}c.row_factory = sqlite3.Row\nr = c.execute('select a as One, b from t').fetchone()\n"
        "k = c.cursor()\nk.row_factory = lambda k, r: {d[0]: v for d, v in zip(k.description, r)}\n"
        "result = [r['one'], r[1], dict(r), tuple(r), r.keys(), len(r), r == r, hash(r) == hash(r), k.execute('select b from t').fetchone()]",
        [1, "x", {"One": 1, "b": "x"}, [1, "x"], ["One", "b"], 2, True, True, {"b": "x"}],
    ),
    "transactions": (
        f"{FILLED}try:\n    with c:\n        c.execute('delete from t')\n        raise ValueError\nexcept ValueError: pass\n"
        "with c: c.execute('delete from t where a = 1')\nc.isolation_level = None\n"
        "c.executescript('begin; delete from t; rollback;')\nresult = [c.execute('select count(*) from t').fetchone()[0], c.isolation_level]",
        [1, None],
    ),
    "dates, a dump and what tells of tables": (
        f"{FILLED}import datetime\nresult = [c.execute('select ?, ?', (datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3))).fetchone(),\n"
        "          list(c.iterdump())[1], [r[1] for r in c.execute('pragma table_info(t)')], sqlite3.complete_statement('select 1;'),\n"
        "          c.execute(\"select name from pragma_table_info('t')\").fetchall(), sqlite3.sqlite_version_info > (3, 30)]",
        [["2024-01-02", "2024-01-02 03:00:00"], "CREATE TABLE t (a integer, b text);", ["a", "b"], True, [["a"], ["b"]], True],
    ),
    "with pandas": (
        "import sqlite3, pandas as pd, warnings\nwarnings.simplefilter('error')\nc = sqlite3.connect(':memory:')\n"
        "df = pd.DataFrame({'a': [1, 2], 'f': [1.5, None], 'd': pd.to_datetime(['2024-01-01', None])})\ndf.to_sql('t', c, index=False)\n"
        "df.to_sql('t', c, index=False, if_exists='append')\nq = pd.read_sql_query('select * from t where a > ?', c, params=(1,), parse_dates=['d'])\n"
        "result = [q.a.tolist(), q.d.isna().tolist(), pd.read_sql('select a, count(*) n from t group by a', c, index_col='a').n.tolist()]",
        [[2, 2], [True, True], [2, 2]],
    ),
}

DENIED = (
    "attach ':memory:' as y", "attach '/tmp/a.db' as y", "vacuum", "vacuum into 'x.db'", "select load_extension('x')",
    "pragma temp_store=file", "pragma temp_store_directory='/tmp'", "pragma writable_schema=1", "pragma journal_mode=off",
    "select * from pragma_temp_store", "create virtual table z using fts5(a)", "detach main", "select fts3_tokenizer('simple')",
    "select * from sqlite_dbpage", "pragma main.temp_store = 1", "PRAGMA Trusted_Schema = 1",
)  # fmt: skip

REFUSED = {
    "a file": ("sqlite3.connect('x.db')", "takes ':memory:' here"),
    "a file for a while": ("sqlite3.connect('')", "takes ':memory:' here"),
    "an address": ("sqlite3.connect('file::memory:', uri=True)", "takes ':memory:' here"),
    "a text that lies": (
        "class S(str):\n    def __eq__(self, o): return True\n    __hash__ = str.__hash__\nsqlite3.connect(S('/tmp/x'))",
        "takes ':memory:' here",
    ),
    "a connection by its class": ("type(sqlite3.connect(':memory:'))('x.db')", "is made by sqlite3.connect"),
    "a class of the script's": ("sqlite3.connect(':memory:', factory=dict)", "no factory here"),
    "an authorizer": ("sqlite3.connect(':memory:').set_authorizer(None)", "a connection has no 'set_authorizer' here"),
    "a function": ("sqlite3.connect(':memory:').create_function", "compute it with pandas"),
    "what is behind it": ("getattr(sqlite3.connect(':memory:'), '_re' + 'al')", "'_real' is private"),
    "an object as a parameter": ("sqlite3.connect(':memory:').execute('select ?', (object(),))", "type 'object' is not supported"),
    "a statement that is no text": ("sqlite3.connect(':memory:').execute(b'select 1')", "a statement is a text"),
    "a level": ("sqlite3.connect(':memory:', isolation_level='x')", "isolation_level must be"),
    "a row's name": ("c = sqlite3.connect(':memory:')\nc.row_factory = sqlite3.Row\nc.execute('select 1 a').fetchone()['b']", "IndexError"),
    "pandas with another object": ("import pandas\npandas.read_sql('select 1', 'sqlite://')", "con must be a connection"),
    "nor does it write": ("import pandas\npandas.DataFrame({'a': [1]}).to_sql('t', object())", "con must be a connection"),
}


FINALISED = """
import gc, sqlite3
c = sqlite3.connect(":memory:"); cur = c.cursor()
class X:
    def __del__(self): {}
cur.execute("with recursive r(n) as (select 1 union all select n+1 from r where n<6000), h(n) as (select 1 union all select n+1 from h where n<3000000) select n from r union all select max(n) from h")
gc.collect(); gc.disable()
for _ in range(3):
    x = X(); x.x = x
x = None
gc.enable()
print(len(cur.fetchall()))
"""
"""A collection is due while SQLite asks whether it may go on."""


class Databases(unittest.TestCase):
    def setUp(self) -> None:
        self.host = Host()
        self.addCleanup(self.host.close)

    def run_script(self, code: str, *imports: str) -> Any:
        return self.host.run(code, imports=["sqlite3", "datetime", "pandas", "warnings", *imports])

    def test_they_work(self) -> None:
        for name, (code, expected) in WORK.items():
            with self.subTest(name):
                run = self.run_script(code)
                self.assertEqual((run.report["error"], run.report["result"]), (None, expected), run.report)

    def test_statements_that_leave_memory(self) -> None:
        code = (
            f"{FILLED}c.isolation_level = None\nsaid = []\nfor q in {DENIED}:\n    try: said.append([q, c.execute(q).fetchall()])\n"
            "    except sqlite3.Error as e:\n        if not any(w in str(e) for w in ('not authorized', 'denied', 'prohibited')): said.append([q, str(e)])\n"
            "result = said"
        )
        run = self.run_script(code)
        self.assertEqual((run.report["result"], run.paths), ([], []), run.report)

    def test_what_is_temporary_stays_in_memory_and_nothing_is_attached(self) -> None:
        from hotcell_guard.granting import _sqlite

        real = _sqlite._connection(_sqlite.connect(":memory:"))[0]
        real.set_authorizer(None)
        self.assertEqual(real.execute("pragma temp_store").fetchone(), (2,))
        with self.assertRaisesRegex(Exception, "too many attached databases"):
            real.execute("attach ':memory:' as y")
        self.assertIs(real.getconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE), True)
        self.assertIs(real.getconfig(sqlite3.SQLITE_DBCONFIG_TRUSTED_SCHEMA), False)
        real.close()

    def test_the_hook_lets_nobody_else_open_one(self) -> None:
        code = "import pandas\nfrom pandas import read_sql"
        self.assertEqual(self.run_script(code).outcome, "completed")
        for path in ("sqlite3.dbapi2", "sqlite3.dump"):
            self.assertEqual(self.run_script(f"import {path}", path).rules, ["import.denied"])

    def test_what_is_refused(self) -> None:
        for name, (code, words) in REFUSED.items():
            with self.subTest(name):
                run = self.run_script(f"import sqlite3\n{code}")
                self.assertEqual(run.outcome, "raised", run.report)
                self.assertIn(words, run.error)

    def test_pandas_reads_databases_where_a_policy_lists_them(self) -> None:
        for code in ("import pandas\npandas.read_sql", "import pandas\ngetattr(pandas, 'read' + '_sql')"):
            run = self.host.run(code, imports=["pandas"])
            self.assertIn("'read_sql' is not available", run.error or str(run.report["violations"]))

    def test_a_finaliser_does_not_use_a_connection_that_is_at_work(self) -> None:
        for name, act in {
            "another statement": "cur.execute('select 7')",
            "its end": "c.close()",
            "its cursor's end": "cur.close()",
            "the next row": "next(cur)",
            "another cursor": "c.cursor()",
            "a level": "c.isolation_level = None",
        }.items():
            with self.subTest(name):
                run = self.run_script(FINALISED.format(act), "gc")
                self.assertEqual((run.outcome, run.stdout), ("completed", "6001\n"), run.report)
                self.assertIn("the connection is at work", run.stderr)
