import sqlite3

conn = sqlite3.connect(":memory:")
conn.row_factory = sqlite3.Row
cur = conn.cursor()
cur.executescript("""
CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, author_id INTEGER REFERENCES author(id));
""")
cur.executemany("INSERT INTO author (name) VALUES (?)", [("Orwell",), ("Huxley",), ("Zamyatin",)])
cur.executemany("INSERT INTO book (title, year, author_id) VALUES (?, ?, ?)",
                [("1984", 1949, 1), ("Animal Farm", 1945, 1), ("Brave New World", 1932, 2)])
conn.commit()
for row in cur.execute("""SELECT a.name, COUNT(b.id) AS n, MIN(b.year) AS first
                          FROM author a LEFT JOIN book b ON b.author_id = a.id
                          GROUP BY a.id ORDER BY n DESC, a.name"""):
    print(row["name"], row["n"], row["first"])
with conn:
    conn.execute("UPDATE book SET year = year + 1 WHERE title = :t", {"t": "1984"})
print(cur.execute("SELECT year FROM book WHERE title = '1984'").fetchone()[0], conn.total_changes)
try:
    cur.execute("SELECT * FROM missing")
except sqlite3.OperationalError as e:
    print("error:", e)
conn.close()
