"""The same where a comprehension in a target's subscript has a variable of that name."""
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
        [seen.append((big * big, shared._name)[1]) for (x, table[[shared for shared in (1,)][0]]) in ((1, 2), (3, 4))]
    except AttributeError as error:
        print(error)
print("ESCAPED:target_names_a_global_within" if "a library's" in seen else "held")
