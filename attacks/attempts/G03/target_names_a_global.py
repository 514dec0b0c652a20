"""A comprehension stores into an attribute of a global name, which is no variable of its own: a thread changes it between check and use."""
import concurrent.futures
import logging
import time


class Own:
    pass


def change():
    global shared
    time.sleep(0.1)
    shared = handler


logging.basicConfig()
handler = logging.getLogger().handlers[0]
handler.set_name("a library's")
shared = Own()
shared._name = "mine"
table, seen, big = {}, [], 3**3_000_000
with concurrent.futures.ThreadPoolExecutor(1) as pool:
    pool.submit(change)
    time.sleep(0.05)
    try:
        [seen.append((big * big, shared._name)[1]) for (x, shared.a) in ((1, 2), (3, 4))]
    except AttributeError as error:
        print(error)
print("ESCAPED:target_names_a_global" if "a library's" in seen else "held")
