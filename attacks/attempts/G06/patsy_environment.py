"""patsy's EvalEnvironment captures a frame and evaluates in it."""
import patsy

environment = patsy.EvalEnvironment.capture(0)
print("ESCAPED:patsy_environment", environment.eval("__imp" + "ort__('os').getpid()"))
