"""patsy's environments are dicts of the script's names, and of one more."""
import patsy


def environment():
    return patsy.EvalEnvironment.capture(1)


spaces = [patsy.EvalEnvironment.capture(0), environment(), patsy.EvalEnvironment.capture(0).subset(["__builtins__"]),
          patsy.EvalEnvironment.capture(0).with_outer_namespace({})]
for space in spaces:
    for read in (lambda: space.namespace["__builtins__"], lambda: space.namespace.get("__builtins__"),
                 lambda: space.eval("Q('__builtins__')", inner_namespace=patsy.builtins.builtins)):
        try:
            table = read()
        except Exception:
            continue
        if table is not None and "len" in (table if isinstance(table, dict) else vars(table)):
            print("ESCAPED:builtins_of_patsy_scopes")
