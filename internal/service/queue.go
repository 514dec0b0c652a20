package service

import (
	"cmp"
	"slices"
)

// queue says whose run is next: principals take turns, and of one principal's runs the one
// with the highest priority goes first, and of those the oldest. It is in memory, and holds
// what the store has. Its methods are called with Broker.mu held.
type queue struct {
	ring  []*line // principals with runs that wait; the first one has the next turn
	lines map[string]*line
	load  load // of all lines
}

// line is the runs of one principal, as they will go.
type line struct {
	owner string
	runs  []*run
	bytes int64 // of their requests
}

// load is how many runs there are, and how many bytes their requests have.
type load struct {
	runs  int
	bytes int64
}

func (l load) plus(other load) load { return load{l.runs + other.runs, l.bytes + other.bytes} }

func (l load) minus(other load) load { return load{l.runs - other.runs, l.bytes - other.bytes} }

// of is the load of one principal.
func (q *queue) of(owner string) load {
	in := q.lines[owner]
	if in == nil {
		return load{}
	}
	return load{len(in.runs), in.bytes}
}

func newQueue() queue { return queue{lines: map[string]*line{}} }

// before compares two runs of one principal.
func before(a, b *run) int {
	return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(a.seq, b.seq))
}

// fill puts many runs into an empty queue, by their age. Principals take turns by their first one.
func (q *queue) fill(runs []*run) {
	for _, r := range runs {
		in := q.lines[r.owner]
		if in == nil {
			in = &line{owner: r.owner}
			q.lines[r.owner] = in
			q.ring = append(q.ring, in)
		}
		in.runs = append(in.runs, r)
		in.bytes += r.bytes
		q.load = q.load.plus(r.load())
	}
	for _, in := range q.ring {
		slices.SortFunc(in.runs, before)
	}
}

// add puts a run into its principal's line. A principal who had none gets the last turn.
func (q *queue) add(r *run) { q.put(r, len(q.ring)) }

// putBack is add for a run that was taken, and not carried out: its principal's turn comes again.
func (q *queue) putBack(r *run) {
	if at := q.turn(r.owner); at > 0 {
		one := q.ring[at]
		q.ring = slices.Insert(slices.Delete(q.ring, at, at+1), 0, one)
	}
	q.put(r, 0)
}

func (q *queue) put(r *run, turn int) {
	in := q.lines[r.owner]
	if in == nil {
		in = &line{owner: r.owner}
		q.lines[r.owner] = in
		q.ring = slices.Insert(q.ring, turn, in)
	}
	at, _ := slices.BinarySearchFunc(in.runs, r, before)
	in.runs = slices.Insert(in.runs, at, r)
	in.bytes += r.bytes
	q.load = q.load.plus(r.load())
}

// remove takes a run out, and reports whether it was in.
func (q *queue) remove(r *run) bool {
	in := q.lines[r.owner]
	if in == nil {
		return false
	}
	at, found := slices.BinarySearchFunc(in.runs, r, before)
	if !found {
		return false
	}
	q.take(in, at)
	return true
}

// take takes one run out of a line, and the line away where it was the last one.
func (q *queue) take(from *line, at int) *run {
	r := from.runs[at]
	if at == 0 { // without moving all others
		from.runs[0] = nil
		from.runs = from.runs[1:]
	} else {
		from.runs = slices.Delete(from.runs, at, at+1)
	}
	from.bytes -= r.bytes
	q.load = q.load.minus(r.load())
	if len(from.runs) == 0 {
		delete(q.lines, from.owner)
		turn := slices.Index(q.ring, from)
		q.ring = slices.Delete(q.ring, turn, turn+1)
	}
	return r
}

// next takes out the run whose turn it is, of those principals who may have one now. The
// principal then has the last turn. It is nil where none may.
func (q *queue) next(may func(owner string) bool) *run {
	for turn, one := range q.ring {
		if !may(one.owner) {
			continue
		}
		q.ring = append(slices.Delete(q.ring, turn, turn+1), one)
		return q.take(one, 0)
	}
	return nil
}

// turn is where a principal stands, or -1.
func (q *queue) turn(owner string) int {
	return slices.IndexFunc(q.ring, func(one *line) bool { return one.owner == owner })
}

// position is how many runs go before one if no other comes and no quota holds one up: of its
// own principal those before it, and of each other as many, and one more of those whose turn
// comes first. It is -1 for one that does not wait.
func (q *queue) position(r *run) int {
	own := q.lines[r.owner]
	if own == nil {
		return -1
	}
	rank, found := slices.BinarySearchFunc(own.runs, r, before)
	if !found {
		return -1
	}
	position, earlier := rank, 1
	for _, one := range q.ring {
		if one == own {
			earlier = 0
			continue
		}
		position += min(len(one.runs), rank+earlier)
	}
	return position
}
