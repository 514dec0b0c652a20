// Package wire is the framed protocol between the host and the guard.
//
// It decides which bytes may follow which. It does not decide what they mean for
// the run (internal/runner). Every byte that the guard sends is hostile, because user
// code may have taken the guard over: lengths are checked before anything is
// allocated, JSON is strict, and the order of frames is held by a state machine.
//
// # Frames
//
// A frame is one byte of type, four bytes of payload length (unsigned, big
// endian) and the payload. The host writes to the guard's descriptor 0, the guard
// answers on what was its descriptor 1.
//
//	host → guard
//	  'S' start   JSON, Start: mode, rules, tables, limits; at most MaxStart bytes
//	  'P' prepare JSON, Prepare: what the runs of one plan have in common; at most MaxPrepare bytes
//	  'G' go      JSON, Go: what is one run's; at most MaxStart bytes
//	  'I' inputs  JSON object, the request's inputs, or empty for none; at most Start.Limits.InputBytes
//	  'C' code    the script, raw bytes; at most Start.Limits.CodeBytes
//	  'A' reply   JSON, Reply; at most Start.Limits.AnswerBytes
//	  'Q' question  in a session, a text of which the guard says its form; at most MaxQuestion bytes, and Start.Limits.CodeBytes
//	  'X' interrupt  in a session, the number of the script that is meant: eight bytes, unsigned, big endian; code frames count from 1
//	guard → host
//	  'H' hello   JSON, Hello; at most MaxHello bytes
//	  'W' prepared  empty: everything is ready for any script, and locked
//	  'Y' ready   vetted, tables loaded, locked, user code begins now: the first one JSON, Ready, or empty
//	  'O' stdout  raw bytes, 1 to MaxChunk
//	  'E' stderr  raw bytes, 1 to MaxChunk
//	  'T' call    JSON, Call; at most Start.Limits.CallBytes
//	  'V' form    a word: a Form
//	  'R' report  JSON, Report; at most Start.Limits.ReportBytes
//
// # Order
//
// The host sends start, inputs and code without waiting. Or it has the guard prepare
// first: it sends prepare, upon which the guard says hello and then prepared, or a report
// ("guard_failed") and ends; and in place of start, before or after that, go. A session
// begins so. A guard that has prepared before there was a run says nothing again until
// its script is vetted: whoever had it prepare has heard the hello (AwaitPrepared). Where
// its descriptor 0 is a socket, the guard is a template: it forks for each byte 'F' that
// comes with descriptors, and what is forked says hello and prepared on the streams that
// it was given.
//
// What follows is the same either way. The guard sends hello,
// then for its one script either
//
//	report ("rejected", "vetted" or "guard_failed", of a required control that is lacking too); or
//	ready, any number of stdout, stderr and call, report ("completed", "raised" or "limit")
//
// and the stream ends. Each call is answered by one reply frame before the next
// call may come, and in a session before the report. In mode session the host sends further code frames, each after
// the report of the one before, and ends the session by ending its stream. Between
// two scripts of a session, and between prepared and the first one, the guard says nothing
// unless it is asked: the host may send a question, which is answered by one form frame before
// anything else is said. The host need not wait for that to send code, but to send another
// question. While a script runs the host may send
// interrupts, of which the guard makes a KeyboardInterrupt there; one that names another
// script than the one that runs means nothing, so that it may come late. What the guard
// then reports is what the script has made of it. In mode check no ready follows,
// and in no other mode does "vetted".
//
// The end of the stream at any other place means that the guard died; the host
// then looks at how the sandbox ended. A hello of another version of the protocol is a
// *VersionError. Any other deviation is a *ProtocolError.
//
// # JSON
//
// UTF-8, no duplicate, unknown or case-variant names, no trailing bytes, no NaN
// and no infinities, no lone surrogates.
package wire
