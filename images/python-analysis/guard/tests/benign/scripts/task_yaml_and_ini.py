import configparser
import io
import yaml

text = """
server:
  host: localhost
  port: 8080
  debug: true
users: [alice, bob]
limits: &defaults
  cpu: 2
  memory: 1.5
worker:
  <<: *defaults
  cpu: 4
description: |
  Several
  lines
date: 2024-05-17
"""
config = yaml.safe_load(text)
print(config["server"], config["users"], config["worker"], repr(config["description"]), config["date"].year)
print(yaml.safe_dump({"b": [1, 2], "a": {"x": None, "y": "text"}}, default_flow_style=False), end="")
print(list(yaml.safe_load_all("a: 1\n---\nb: 2\n")))
try:
    yaml.safe_load("a: [1, 2")
except yaml.YAMLError as e:
    print(type(e).__name__)

cp = configparser.ConfigParser()
cp.read_string("""
[DEFAULT]
timeout = 30
[db]
host = db.local
port = 5432
ssl = yes
path = %(host)s/data
""")
print(cp.sections(), cp["db"].getint("port"), cp["db"].getboolean("ssl"), cp["db"]["path"], cp.get("db", "timeout"))
cp["new"] = {"key": "value"}
buffer = io.StringIO()
cp.write(buffer)
print(buffer.getvalue().count("["), cp.has_option("db", "missing"), cp.get("db", "missing", fallback="n/a"))


def merge(a, b):
    return {k: merge(a[k], b[k]) if k in a and k in b and isinstance(a[k], dict) and isinstance(b[k], dict) else b.get(k, a.get(k)) for k in a.keys() | b.keys()}


print(sorted(merge({"a": {"x": 1, "y": 2}}, {"a": {"y": 3}, "b": 4}).items()))
