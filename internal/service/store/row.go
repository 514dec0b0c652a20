package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"

	"hotcell/api"
	"hotcell/internal/job"
	"hotcell/internal/strictjson"
)

// State is how far a row is.
type State string

// The states. A row goes from one to the next, and from Given back to Queued where the engine
// did not take it.
const (
	Queued State = "queued"
	Given  State = "given" // an engine may have it
	Done   State = "done"
)

// LastUnknown is a Row's Last where nobody counted.
const LastUnknown = -1

// Row is a run.
type Row struct {
	Seq       int64 // of all rows, as they were accepted
	ID        job.ID
	Principal string
	Key       string // of idempotency, or ""
	Body      []byte // what names the request, with a Key
	Policy    string
	Bundle    string
	Priority  int
	State     State
	Attempt   int
	Boot      string // of the host, when it was given
	Cancelled bool   // somebody asked for that
	Created   time.Time
	Started   time.Time
	Ended     time.Time
	Status    api.State // once it is done
	Recorded  bool      // it has a result
	Last      int64     // number of its last event but the result, or LastUnknown
	Problem   *api.Problem
	Bytes     int64 // of its request, as long as that is kept
	Used      Use   // what counts for its principal's day; it is written, and never read back
}

// Use is what a principal has used.
type Use struct {
	CPU   time.Duration
	Bytes int64 // that lie in records
}

// Plus is both together.
func (u Use) Plus(other Use) Use { return Use{u.CPU + other.CPU, u.Bytes + other.Bytes} }

const columns = `seq, id, principal, key, body, policy, bundle, priority, state, attempt, boot, cancelled,
	created, started, ended, status, recorded, last, problem`

func millis(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// maxProblem bounds what is read back of our own.
const maxProblem = 1 << 20

func writeProblem(problem *api.Problem) (string, error) {
	if problem == nil {
		return "", nil
	}
	text, err := strictjson.Encode(problem)
	return string(text), err
}

func scan(from interface{ Scan(into ...any) error }) (Row, error) {
	var row Row
	var id, problem string
	var key sql.NullString
	var created, started, ended int64
	if err := from.Scan(&row.Seq, &id, &row.Principal, &key, &row.Body, &row.Policy, &row.Bundle, &row.Priority, &row.State,
		&row.Attempt, &row.Boot, &row.Cancelled, &created, &started, &ended, &row.Status, &row.Recorded, &row.Last, &problem, &row.Bytes); err != nil {
		return Row{}, err
	}
	row.Key, row.Created, row.Started, row.Ended = key.String, moment(created), moment(started), moment(ended)
	if problem != "" {
		row.Problem = &api.Problem{}
		if err := strictjson.Decode([]byte(problem), maxProblem, row.Problem); err != nil {
			return Row{}, fmt.Errorf("read the problem of run %s: %w", id, err)
		}
	}
	return row, row.ID.UnmarshalText([]byte(id))
}

// ErrNone is the error for a row that is not there, or not in the state that a change needs.
var ErrNone = errors.New("there is no such row")

// selecting is a query for rows. What narrows it is of this package's constants.
func selecting(where string) string {
	return "SELECT " + columns + ", coalesce(length(request), 0) FROM runs WHERE " + where
}

// query reads rows.
func (s *Store) query(ctx context.Context, where string, arguments ...any) ([]Row, error) {
	return rowsOf(s.read.QueryContext(ctx, selecting(where), arguments...))
}

func rowsOf(found *sql.Rows, failed error) (rows []Row, err error) {
	if failed != nil {
		return nil, failed
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		row, err := scan(found)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, found.Err()
}

// The rows that every request looks for: SQLite parses these queries once for each connection.
const (
	byID  = "id = ?"
	byKey = "principal = ? AND key = ? AND created >= ?"
)

func (s *Store) one(ctx context.Context, where *sql.Stmt, arguments ...any) (Row, error) {
	rows, err := rowsOf(where.QueryContext(ctx, arguments...))
	if err != nil {
		return Row{}, err
	}
	if len(rows) == 0 {
		return Row{}, ErrNone
	}
	return rows[0], nil
}

// Get is a run's row, or ErrNone.
func (s *Store) Get(ctx context.Context, id job.ID) (Row, error) {
	return s.one(ctx, s.byID, id.String())
}

// ByKey is the row of a principal's key that was used since then, or ErrNone.
func (s *Store) ByKey(ctx context.Context, principal, key string, since time.Time) (Row, error) {
	return s.one(ctx, s.byKey, principal, key, millis(since))
}

// Active are all rows that are not done, as they were accepted.
func (s *Store) Active(ctx context.Context) ([]Row, error) {
	return s.query(ctx, "state <> 'done' ORDER BY seq")
}

// LastSeq is the highest number of a row, or 0.
func (s *Store) LastSeq(ctx context.Context) (seq int64, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM runs").Scan(&seq)
	return seq, err
}

// Request is what a run was asked for with, which is kept until it is done.
func (s *Store) Request(ctx context.Context, id job.ID) (request []byte, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT request FROM runs WHERE id = ?", id.String()).Scan(&request)
	if errors.Is(err, sql.ErrNoRows) || err == nil && request == nil {
		return nil, ErrNone
	}
	return request, err
}

// Query narrows a list. Zero fields narrow nothing.
type Query struct {
	Principal string
	Policy    string
	Status    api.State // also queued and running
	Since     time.Time
	Before    job.ID // only those with an id below it
	Limit     int
}

// List is the rows of a query, by id, the newest first.
func (s *Store) List(ctx context.Context, query Query) ([]Row, error) {
	where, arguments := []string{"TRUE"}, []any{}
	narrow := func(with bool, condition string, argument any) {
		if with {
			where, arguments = append(where, condition), append(arguments, argument)
		}
	}
	narrow(query.Principal != "", "principal = ?", query.Principal)
	narrow(query.Policy != "", "policy = ?", query.Policy)
	narrow(!query.Since.IsZero(), "created >= ?", millis(query.Since))
	narrow(query.Before != job.ID{}, "id < ?", query.Before.String())
	switch query.Status {
	case "":
	case api.StateQueued:
		where = append(where, "state <> 'done'") // one that an engine has may wait there: whoever asked looks
	case api.StateRunning:
		where = append(where, "state = 'given'")
	default:
		narrow(true, "state = 'done' AND status = ?", string(query.Status))
	}
	arguments = append(arguments, query.Limit)
	return s.query(ctx, strings.Join(where, " AND ")+" ORDER BY id DESC LIMIT ?", arguments...)
}

// Used is what each principal has used on a day (YYYY-MM-DD).
func (s *Store) Used(ctx context.Context, day string) (used map[string]Use, err error) {
	rows, err := s.read.QueryContext(ctx, "SELECT principal, ms, bytes FROM cpu WHERE day = ?", day)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	used = map[string]Use{}
	for rows.Next() {
		var principal string
		var ms, bytes int64
		if err := rows.Scan(&principal, &ms, &bytes); err != nil {
			return nil, err
		}
		used[principal] = Use{time.Duration(ms) * time.Millisecond, bytes}
	}
	return used, rows.Err()
}

// Note is a value that was kept by a name, or "".
func (s *Store) Note(ctx context.Context, name string) (value string, err error) {
	err = s.read.QueryRowContext(ctx, "SELECT value FROM notes WHERE name = ?", name).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// Notes are all values whose name begins so.
func (s *Store) Notes(ctx context.Context, prefix string) (notes map[string]string, err error) {
	rows, err := s.read.QueryContext(ctx, "SELECT name, value FROM notes WHERE substr(name, 1, ?) = ?", len(prefix), prefix)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	notes = map[string]string{}
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return nil, err
		}
		notes[name] = value
	}
	return notes, rows.Err()
}

func isNoTransaction(err error) bool {
	// SQLite has no code of its own for it.
	return errors.Is(err, sqlite3.ERROR) && strings.Contains(err.Error(), "no transaction is active")
}
