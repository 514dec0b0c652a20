// Package wire is the framed protocol between the host and the guard.
//
// It decides which bytes may follow which. It does not decide what they mean for
// the run (internal/runner). Every byte that the guard sends is hostile, for user
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
//	  'S' start   JSON, Start: rules, tables, limits; at most MaxStart bytes
//	  'C' code    the script, raw bytes; at most Start.Limits.CodeBytes
//	guard → host
//	  'H' hello   JSON, Hello; at most MaxHello bytes
//	  'Y' ready   empty: vetted, tables loaded, user code begins now
//	  'O' stdout  raw bytes, 1 to MaxChunk
//	  'E' stderr  raw bytes, 1 to MaxChunk
//	  'R' report  JSON, Report; at most Start.Limits.ReportBytes
//
// # Order
//
//	hello, then either
//	  report (outcome "rejected" or "guard_failed"), end of stream; or
//	  ready, any number of stdout and stderr, report ("completed" or "raised"), end of stream
//
// The end of the stream at any other place means that the guard died; the host
// then looks at how the sandbox ended. Any other deviation is a *ProtocolError.
//
// # JSON
//
// UTF-8, no duplicate, unknown or case-variant names, no trailing bytes, no NaN
// and no infinities, no lone surrogates.
package wire
