"""Forks guards from an interpreter that has imported what they need.

    warm.py MODULE ...

It imports the modules, then serves requests on descriptor 0, a socket: each is an
environment as JSON, with the three descriptors of a guard. It forks, answers with the
child's number, and when that has ended with its wait status. A child is a guard as
the image starts one, but that its imports are done: no attempt sees what another one
did. Whoever started this knows the canary; this program does not, for what it holds
lies in the memory of each child.
"""

import array
import importlib
import json
import os
import socket
import sys


def serve(requests):
    """Return the descriptors and the environment of a guard, in the child that is to be one."""
    while True:
        text, ancillary, _, _ = requests.recvmsg(65536, socket.CMSG_SPACE(3 * array.array("i").itemsize))
        if not text:
            os._exit(0)
        descriptors = array.array("i", ancillary[0][2])
        child = os.fork()
        if not child:
            return list(descriptors), json.loads(text)
        for descriptor in descriptors:
            os.close(descriptor)
        requests.send(b"%d" % child)
        requests.send(b"%d" % os.waitpid(child, 0)[1])


def look_up_as_the_guard():
    """Load libraries as a guard does, whose look-ups of __dict__ ask it: the one that a child becomes."""
    from hotcell_guard.libraries import _lookups, _sites

    install, asked = _lookups.install, []

    def lookers_of(module):
        return {"__dict__": lambda obj: asked[0](module)["__dict__"](obj) if asked else obj.__dict__}

    def install_in_a_child(lookers, modules):
        asked[:] = [lookers]
        install(lookers, modules)

    install(lookers_of, frozenset(_sites.SITES["__dict__"]))
    _lookups.install = install_in_a_child


def main():
    """Become a guard, once for each request."""
    look_up_as_the_guard()
    for name in ("hotcell_guard._run", "hotcell_guard._session", *sys.argv[1:]):
        try:
            importlib.import_module(name)
        except ImportError:  # the attempt's to stumble over
            continue
    requests = socket.socket(fileno=os.dup(0))
    descriptors, environment = serve(requests)
    requests.close()
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.environ.clear()
    os.environ.update(environment)


main()
# As `python3 -m hotcell_guard` would find itself: nothing of this program is left in
# its main module.
from hotcell_guard._run import main as guard  # noqa: E402

del array, importlib, json, os, socket, serve, look_up_as_the_guard, main
sys.argv[:] = ["hotcell_guard"]
del sys
guard()
