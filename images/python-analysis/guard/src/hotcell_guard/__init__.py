"""The guard: vets the code of one run, runs it and reports what it left.

It is started as ``python3 -sBP -m hotcell_guard`` with the host on descriptors
0 and 1, and speaks the framed protocol of the host's ``internal/wire``. It reads
no configuration: everything comes with the start frame.

The guard is one layer of several. It refuses the known ways out of Python; that
the rest holds when it fails is the container's task.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
