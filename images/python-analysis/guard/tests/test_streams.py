from __future__ import annotations

import threading
import unittest
from collections.abc import Callable

from hotcell_guard.speaking._streams import OutputStream, Sink, cut


class Sent:
    """Stands for a channel and keeps what it is given."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []

    def sender(self, kind: bytes) -> Callable[[bytes], None]:
        return lambda payload: self.send(kind, payload)

    def send(self, kind: bytes, payload: bytes) -> None:
        assert kind == b"O" and payload
        self.frames.append(payload)


def stream(limit: int = 1 << 30) -> tuple[Sink, Sent]:
    sent = Sent()
    sink = Sink(sent, b"O", limit)  # type: ignore[arg-type]
    sink.begin()
    return sink, sent


class Streams(unittest.TestCase):
    def test_sends_at_the_end_of_a_line(self) -> None:
        out, sent = stream()
        out.write("a")
        self.assertEqual(sent.frames, [])
        self.assertEqual(out.write("b\nc"), 3)
        self.assertEqual(sent.frames, [b"ab\nc"])
        out.flush()
        out.flush()
        self.assertEqual(len(sent.frames), 1)

    def test_sends_when_8_kib_have_gathered(self) -> None:
        out, sent = stream()
        out.write("x" * 8191)
        self.assertEqual(sent.frames, [])
        out.write("x")
        self.assertEqual(sent.frames, [b"x" * 8192])

    def test_splits_between_characters(self) -> None:
        out, sent = stream()
        out.write("€" * 50_000 + "\n")
        self.assertEqual(b"".join(sent.frames).decode(), "€" * 50_000 + "\n")
        for payload in sent.frames:
            self.assertLessEqual(len(payload), 64 << 10)
            payload.decode()

    def test_keeps_exactly_the_limit(self) -> None:
        out, sent = stream(5)
        out.write("abcde")
        out.flush()
        self.assertEqual((b"".join(sent.frames), out.truncated), (b"abcde", False))
        out.write("")
        self.assertFalse(out.truncated)
        out.write("f\n")
        self.assertEqual((b"".join(sent.frames), out.truncated), (b"abcde", True))

    def test_never_cuts_a_character(self) -> None:
        for limit, kept in {1: "", 2: "ä", 3: "ä", 4: "ä", 5: "ä€", 8: "ä€", 9: "ä€😀"}.items():
            with self.subTest(limit):
                out, sent = stream(limit)
                out.write("ä€😀!")
                out.write("z\n")  # nothing follows a cut, however small it is
                out.flush()
                self.assertEqual((b"".join(sent.frames).decode(), out.truncated), (kept, True))

    def test_replaces_lone_surrogates(self) -> None:
        out, sent = stream()
        out.write("a\ud800b\n")
        self.assertEqual(sent.frames, [b"a?b\n"])

    def test_takes_text_only(self) -> None:
        out, _ = stream()
        with self.assertRaises(TypeError):
            out.write(b"x")  # type: ignore[arg-type]

    def test_reads_a_str_past_its_class(self) -> None:
        class Lie(str):
            def encode(self, *args: object) -> bytes:  # type: ignore[override]
                return b"\xff"

            def __len__(self) -> int:
                return -5

        out, sent = stream()
        self.assertEqual(out.write(Lie("a\n")), 2)
        self.assertEqual(sent.frames, [b"a\n"])

    def test_looks_like_a_text_stream(self) -> None:
        out = OutputStream(stream()[0])
        self.assertEqual((out.encoding, out.errors, out.writable(), out.isatty()), ("utf-8", "replace", True, False))
        with self.assertRaises(OSError):
            out.fileno()

    def test_a_finaliser_that_prints_does_not_deadlock(self) -> None:
        out, sent = stream()

        class Nested(Sent):
            def send(self, kind: bytes, payload: bytes) -> None:
                super().send(kind, payload)
                if len(self.frames) < 3:
                    out.write("inner\n")

        nested = Nested()
        out._deliver = nested.sender(b"O")
        out.write("outer\n")
        self.assertEqual(nested.frames, [b"outer\n", b"inner\n", b"inner\n"])
        self.assertEqual(sent.frames, [])


class Steps(unittest.TestCase):
    def test_the_limit_is_that_of_one_step(self) -> None:
        out, sent = stream(3)
        out.write("abcd")
        self.assertTrue(out.end())
        out.begin()
        out.write("efg")
        self.assertFalse(out.end())
        self.assertEqual(b"".join(sent.frames), b"abcefg")

    def test_text_between_two_steps_waits(self) -> None:
        out, sent = stream(3)
        out.end()
        out.write("ab\n")
        out.flush()
        self.assertEqual(sent.frames, [])
        out.begin()
        out.write("c\n")
        self.assertTrue(out.end())
        self.assertEqual(b"".join(sent.frames), b"ab\n")

    def test_what_waits_for_the_first_step_counts_as_its_own(self) -> None:
        for limit, kept in ((5, b"ab\nc\n"), (3, b"ab\n"), (2, b"ab")):
            with self.subTest(limit):
                sent = Sent()
                out = Sink(sent, b"O", 100)  # type: ignore[arg-type]
                out.write("ab\n")
                out.end()
                out.allow(limit)
                self.assertEqual(sent.frames, [])
                out.begin()
                out.write("c\n")
                self.assertEqual(out.end(), limit < 5)
                self.assertEqual(b"".join(sent.frames), kept)

    def test_a_thread_that_sits_in_the_lock_does_not_stop_the_last_flush(self) -> None:
        out, sent = stream()
        out.write("a")
        free, held = threading.Event(), threading.Event()

        def hold() -> None:
            with out._lock:
                held.set()
                free.wait(30)

        thread = threading.Thread(target=hold)
        thread.start()
        held.wait(30)
        out.flush_within(0.01)
        self.assertEqual(sent.frames, [])
        free.set()
        thread.join()
        out.flush_within(30)
        self.assertEqual(sent.frames, [b"a"])

    def test_the_scripts_stream_holds_nothing_of_the_guards(self) -> None:
        out = OutputStream(stream()[0])
        self.assertEqual(sorted(vars(out)), ["buffer", "flush", "write"])
        self.assertEqual(sorted(vars(out.buffer)), ["flush", "write"])
        print("x", file=out)


class Cut(unittest.TestCase):
    def test_ends_between_characters(self) -> None:
        data = "aä€😀".encode()
        for size in range(len(data) + 3):
            data[: cut(data, size)].decode()
        self.assertEqual([cut(data, size) for size in range(12)], [0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10])
