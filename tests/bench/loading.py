"""What it costs to have a table: parsed from its text, and mapped as the host has prepared it.

Started with the table's name in /bundle, which is a store's copy of a bundle, and ways. Each
line of standard input names a way, and asks for one line: milliseconds of CPU time and bytes of
memory that belong to the process alone. Each time it is a fork that has loaded nothing yet.
"""

import os
import sys
import time

import pandas
import pandas.core.internals.managers
from hotcell_guard.granting import _frames, _prepared

name = sys.argv[1]


def prepared():
    return _frames.frame(_prepared.open_table(f"/bundle/.tables/{name}.table"))


WAYS = {
    "prepared": prepared,
    "prepared, mean by a column of text": lambda: prepared().groupby("ward").value.mean(),
    "CSV": lambda: pandas.read_csv(f"/bundle/{name}.csv"),
    "JSON Lines": lambda: pandas.read_json(f"/bundle/{name}_lines.jsonl", lines=True),
}


def private():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))


def measure(load):
    read, write = os.pipe()
    child = os.fork()
    if not child:
        held, begun = private(), time.process_time()
        table = load()
        took = time.process_time() - begun
        os.write(write, f"{took * 1000} {max(0, private() - held)}".encode())
        os._exit(0 if table is not None else 1)
    os.close(write)
    answer = os.read(read, 100)
    os.close(read)
    _, status = os.waitpid(child, 0)
    if status:
        raise SystemExit(f"loading ended with {os.waitstatus_to_exitcode(status)}")
    return answer.decode()


prepared()  # what is made when the first table is loaded is no table's
print("ready", flush=True)
for line in sys.stdin:
    print(measure(WAYS[line.strip()]), flush=True)
