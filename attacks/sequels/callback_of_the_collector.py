"""Let the collector call back while the hook runs, and change the hook's variables from there.

Held by: absence
"""
import gc

gc.callbacks.append(lambda phase, details: print("ESCAPED:callback_of_the_collector"))
gc.collect()
