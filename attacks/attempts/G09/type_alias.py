"""A type alias is evaluated when somebody asks.

Selected: yes
"""
type Alias = __import__("os").getpid()
print("ESCAPED:type_alias", Alias.__value__)
