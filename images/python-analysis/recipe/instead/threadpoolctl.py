"""What scikit-learn asks threadpoolctl for: that libraries use no more threads than it says.

In place of Debian's threadpoolctl, which calls what is loaded by ctypes. The reference
BLAS has no threads, and scikit-learn's own loops get one (``joblib.cpu_count``).
"""

__all__ = ["ThreadpoolController", "threadpool_info", "threadpool_limits"]
__version__ = "3.1.0"


def threadpool_info():
    """Return the pools of threads: none."""
    return []


class threadpool_limits:  # noqa: N801
    """A context in which nothing has to be limited."""

    def __init__(self, limits=None, user_api=None):
        self.limits = limits

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def unregister(self):
        """End the context."""

    restore_original_limits = unregister


class ThreadpoolController:
    """The pools of threads that are there: none."""

    def __init__(self):
        self.lib_controllers = []

    def info(self):
        """Return the pools of threads: none."""
        return []

    def limit(self, *, limits=None, user_api=None):
        """Return a context in which nothing has to be limited."""
        return threadpool_limits(limits, user_api)
