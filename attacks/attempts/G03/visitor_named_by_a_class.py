"""A visitor of trees reads a method by the name of a class, which a text makes when it is added to another."""
import ast


class Name(str):
    def __radd__(self, other):
        return "__getattribute__"


class Node(str):
    pass


def visitor():
    pass


Node.__name__ = Name("Node")
visitor.generic_visit = None
found = ast.NodeVisitor.visit(visitor, Node("__glo" + "bals__"))
print("ESCAPED:visitor_named_by_a_class", found["__builtins__"])
