"""An environment captured in a library's callback holds the library's globals."""
import json
import patsy

environment = json.loads("{}", object_pairs_hook=lambda pairs: patsy.EvalEnvironment.capture(1))
print("ESCAPED:patsy_environment_namespace", environment.namespace["__builtins__"]["eval"])
