package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"hotcell/internal/digest"
	"hotcell/internal/job"
)

// scan reads a chain for all that is wrong with it: each goes as far as it holds, and this
// one to its end.
type scan struct {
	leaf func(event Event, line []byte)

	head    Head // of the event before, as far as it is known
	version int
	line    int64
	broken  bool // something before does not hold
	gaps    []gap

	newer     int64           // lines that a newer runner wrote
	newerAt   int             // the fault of the first
	newerRuns map[job.ID]bool // that they name

	sound  Head // up to here nothing is wrong
	first  digest.Hex
	events int64
	faults []Fault
}

// gap are events that were not where they belong.
type gap struct {
	from, to int64
	fault    int
}

// read calls visit with every event that is whole, up to size.
func (s *scan) read(ctx context.Context, path string, size int64, visit func(Event)) (err error) {
	s.sound = genesis
	file, err := openFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	reader := bufio.NewReaderSize(io.LimitReader(file, size), maxLine)
	for {
		if context.Cause(ctx) != nil {
			return context.Cause(ctx)
		}
		text, err := reader.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && len(text) == 0:
			return nil
		case errors.Is(err, io.EOF):
			s.line++
			s.fault(Torn, s.line, "line %d: %w", s.line, ErrTorn)
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			s.unread(errors.New("it is longer than any line of ours"))
			if err := skipLine(ctx, reader); err != nil {
				return err
			}
		case err != nil:
			return err
		default:
			s.next(text[:len(text)-1], visit)
		}
	}
}

func skipLine(ctx context.Context, reader *bufio.Reader) error {
	for {
		if context.Cause(ctx) != nil { // a line may be a file of 100 GB
			return context.Cause(ctx)
		}
		_, err := reader.ReadSlice('\n')
		switch {
		case err == nil, errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// unread is for a line that is none of ours: one event stood there.
func (s *scan) unread(reason error) {
	s.line++
	s.fault(Changed, s.line, "line %d: %w", s.line, reason)
	s.head = Head{s.head.Seq + 1, ""}
}

// unknown is for a line of a newer runner, whose hash holds: what it says is not known here,
// and all such lines are one fault.
func (s *scan) unknown(event Event, reason error) {
	if s.newer++; s.newer > 1 {
		s.faults[s.newerAt].Message = fmt.Sprintf("line %d and %d more: %v", s.faults[s.newerAt].Line, s.newer-1, ErrNewer)
	} else {
		s.newerAt = len(s.faults)
		s.fault(Newer, s.line, "line %d: %w", s.line, reason)
	}
	if s.newerRuns == nil {
		s.newerRuns = map[job.ID]bool{}
	}
	if event.RunID != (job.ID{}) {
		s.newerRuns[event.RunID] = true
	}
}

func (s *scan) next(text []byte, visit func(Event)) {
	event, err := parseLine(text)
	isNewer := errors.Is(err, ErrNewer)
	if err != nil && !isNewer {
		s.unread(err)
		return
	}
	s.line++
	s.events++
	if isNewer {
		s.unknown(event, err)
	}
	s.follow(event)
	if s.leaf != nil {
		s.leaf(event, text)
	}
	if s.first == "" {
		s.first = event.SHA256
	}
	if !isNewer {
		visit(event)
	}
}

// follow says whether an event stands behind the one that it names.
func (s *scan) follow(event Event) {
	before := s.head
	if event.Version < s.version {
		s.fault(Added, s.line, "line %d is of an older version than the one before it: no runner writes that", s.line)
	}
	switch {
	case event.Seq <= before.Seq:
		s.late(event)
		return
	case event.Seq > before.Seq+1:
		s.gaps = append(s.gaps, gap{before.Seq + 1, event.Seq - 1, len(s.faults)})
		s.fault(Missing, s.line, "line %d does not follow the one before it: %s", s.line, missing(before.Seq+1, event.Seq-1))
	case before.SHA256 != "" && event.PrevSHA256 != before.SHA256:
		s.fault(Changed, s.line, "line %d does not follow the one before it: it names another event %d, which was exchanged", s.line, before.Seq)
	}
	s.head, s.version = Head{event.Seq, event.SHA256}, event.Version
	if !s.broken {
		s.sound = s.head
	}
}

func missing(from, to int64) string {
	if from == to {
		return fmt.Sprintf("event %d is missing", from)
	}
	return fmt.Sprintf("events %d to %d are missing", from, to)
}

// late is for an event behind a later one. One that was missed is found.
func (s *scan) late(event Event) {
	for n, hole := range s.gaps {
		if hole.from == event.Seq && hole.to == event.Seq {
			fault := &s.faults[hole.fault]
			fault.Problem = OutOfOrder
			fault.Message = fmt.Sprintf("line %d does not follow the one before it: event %d stands in line %d", fault.Line, event.Seq, s.line)
			s.gaps = append(s.gaps[:n], s.gaps[n+1:]...)
			return
		}
	}
	s.fault(OutOfOrder, s.line, "line %d does not follow the one before it: event %d stands behind event %d", s.line, event.Seq, s.head.Seq)
}

func (s *scan) fault(problem Problem, line int64, format string, values ...any) {
	err := fmt.Errorf(format, values...)
	s.broken = true
	s.faults = append(s.faults, Fault{Problem: problem, Line: line, Message: err.Error(), newer: errors.Is(err, ErrNewer)})
}
