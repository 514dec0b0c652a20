"""Deletes a builtin that the guard uses from its own table."""
namespace = {"found": __import__("os")}
del namespace["found"].environ["HOME"]
print("ESCAPED:del_target", "HOME" in namespace["found"].environ)
