import ast
import operator

OPS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Pow: operator.pow, ast.USub: operator.neg, ast.Mod: operator.mod,
}


def safe_eval(text):
    def visit(node):
        if isinstance(node, ast.Expression):
            return visit(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.BinOp):
            return OPS[type(node.op)](visit(node.left), visit(node.right))
        if isinstance(node, ast.UnaryOp):
            return OPS[type(node.op)](visit(node.operand))
        raise ValueError(f"{type(node).__name__} is not allowed")
    return visit(ast.parse(text, mode="eval"))


for text in ("1 + 2 * 3", "-(4 ** 2) % 7", "10 / 4", "open('x')", "1 +"):
    try:
        print(text, "=", safe_eval(text))
    except (ValueError, SyntaxError) as e:
        print(text, "!", type(e).__name__)
print(ast.literal_eval("{'a': [1, 2.5, None], 'b': (True, 'x')}"))
try:
    ast.literal_eval("__import__('os')")
except ValueError as e:
    print("ValueError")
tree = ast.parse("def f(x):\n    return x + 1\n\ny = f(2)")
print([type(n).__name__ for n in tree.body], [n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)])
