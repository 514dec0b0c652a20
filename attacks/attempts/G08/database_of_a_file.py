"""A database's name is a text that says it is in memory."""
import sqlite3


class Name(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


try:
    sqlite3.connect(Name("/etc/passwd")).execute("SELECT * FROM sqlite_master")
except sqlite3.DatabaseError as error:
    print("ESCAPED:database_of_a_file", error)
