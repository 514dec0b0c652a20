"""compile and exec of a string that is joined."""
exec(compile("".join(["import os\n", "print('ESCAPED:compile_exec', os.getpid())"]), "x", "exec"))
