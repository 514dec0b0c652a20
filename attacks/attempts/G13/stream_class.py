"""The stream that print writes to keeps the channel to the host.

Selected: yes
"""
import contextlib


class Take(contextlib.redirect_stdout):
    def old(self):
        return self._old_targets[-1]


take = Take(None)
take.__enter__()
stream = take.old()
take.__exit__(None, None, None)
print("ESCAPED:stream_class", stream)
