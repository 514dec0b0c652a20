"""Has a library's frame call globals() and locals(): those are the library's then."""
from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor(1) as pool:
    for ask in (globals, locals, vars):
        try:
            found = pool.submit(ask).result()
        except TypeError:
            continue
        if "threading" in found or "self" in found:
            print("ESCAPED:globals_in_a_worker", sorted(found)[:5])
            break
