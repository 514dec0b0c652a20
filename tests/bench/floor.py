"""What the kernel asks for a process with the tables loaded, in namespaces of its own, that answers.

A round forks this interpreter, with pandas and the table in it, into six fresh namespaces,
runs the script, writes the answer to a pipe and ends. Nothing confines or verifies it, and
nothing is recorded: it is the floor under whatever does.

Started with the table's path and name, or two empty words, and scripts. Each line of
standard input asks for one line of milliseconds; SCRIPT is the number of one:

    one SCRIPT             a round
    many SCRIPT N SECONDS  rounds, N at a time, begun for so long
    fork                   a fork and its end, and nothing else
"""

import os
import select
import sys
import time

import pandas

SIX = os.CLONE_NEWNS | os.CLONE_NEWPID | os.CLONE_NEWNET | os.CLONE_NEWIPC | os.CLONE_NEWUTS | os.CLONE_NEWCGROUP
path, name, *scripts = sys.argv[1:]
names = {name: pandas.read_csv(path)} if path else {}


def compiled(script):
    try:
        return compile(script, "script", "eval")
    except SyntaxError:
        return compile(script, "script", "exec")


codes = [compiled(script) for script in scripts]


def begin(code):
    """Begin a round: when, its process, and where its answer comes."""
    begun = time.perf_counter()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        answer(code, write)
    os.close(write)
    return begun, child, read


def answer(code, write):
    os.unshare(SIX)
    if os.fork() == 0:  # the first of its pid namespace
        os.write(write, repr(eval(code, names)).encode())
        os._exit(0)
    os._exit(os.waitstatus_to_exitcode(os.wait()[1]))


def end(begun, child, read):
    """End a round, and tell how long it took."""
    if not os.read(read, 65536) or os.waitpid(child, 0)[1]:
        sys.exit("there was no answer")
    os.close(read)
    return (time.perf_counter() - begun) * 1000


def many(code, callers, seconds):
    over = time.perf_counter() + seconds
    rounds, took = [begin(code) for _ in range(callers)], []
    while rounds:
        ready = select.select([read for _, _, read in rounds], [], [])[0]
        for one in [one for one in rounds if one[2] in ready]:
            rounds.remove(one)
            took.append(end(*one))
            if time.perf_counter() < over:
                rounds.append(begin(code))
    return took


def fork():
    begun = time.perf_counter()
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return (time.perf_counter() - begun) * 1000


print("ready", flush=True)
for line in sys.stdin:
    word, *numbers = line.split()
    if word == "fork":
        took = [fork()]
    elif word == "one":
        took = [end(*begin(codes[int(numbers[0])]))]
    else:
        took = many(codes[int(numbers[0])], int(numbers[1]), float(numbers[2]))
    print(*took, flush=True)
