"""The fields of a tree's node are read by names that its class holds."""
import ast
import json


class Node(ast.AST):
    _fields = ("loads",)


class Reader(ast.AST):
    _fields = ("__glo" + "bals__",)

    def __new__(cls):
        return json.loads


def reader():
    pass


reader._fields = Reader._fields
print("ESCAPED:fields_of_a_node", [name for name, _ in ast.iter_fields(reader)])
