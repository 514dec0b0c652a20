"""SQL opens a file, in native code."""
import sqlite3

connection = sqlite3.connect(":memory:")
try:
    connection.execute("ATTACH '/etc/passwd' AS other")
    connection.execute("SELECT * FROM other.sqlite_master")
except sqlite3.DatabaseError as error:
    if "not a database" in str(error):
        print("ESCAPED:database_attached", error)
