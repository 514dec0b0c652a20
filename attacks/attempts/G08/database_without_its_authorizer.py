"""Whoever holds a connection takes away what decides about its statements."""
import sqlite3

connection = sqlite3.connect(":memory:")
connection.set_authorizer(None)
connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 2)
try:
    connection.execute("ATTACH '/etc/passwd' AS other")
    connection.execute("SELECT * FROM other.sqlite_master")
except sqlite3.DatabaseError as error:
    if "not a database" in str(error):
        print("ESCAPED:database_without_its_authorizer", error)
