"""Speaks with the host: frames, the start, streams, and the sealed functions through which anybody else does."""
