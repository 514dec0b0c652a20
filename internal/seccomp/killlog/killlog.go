// Package killlog finds out for which system call a seccomp filter ended a process.
//
// Only the kernel knows, and it tells its log: an audit record of type 1326 (see
// seccomp(2), SECCOMP_RET_KILL_PROCESS). The signal's own siginfo has the number too,
// but dies with the process. The record goes to the kernel's log buffer, or to
// auditd's file where that runs; both need root, and the kernel may drop records
// when there are many. So Find may not find it, and its caller has to say so.
//
// It decides nothing about a run. internal/runner is its caller.
package killlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"hotcell/internal/seccomp"
)

// auditFile is where auditd writes on every distribution that has it.
const auditFile = "/var/log/audit/audit.log"

// maxFile bounds how much of the end of auditd's file is read, in bytes: a record
// has about 300.
const maxFile = 4 << 20

// patience is how long the record may take: the kernel's audit thread writes it
// after the process is dead.
const patience = 500 * time.Millisecond

// Killed is the call of a process that was killed.
type Killed struct {
	Name   string // "" for a number that no table has, and for a foreign architecture
	Number uint32
	Source string // where it was found
}

// String names the call as a message needs it.
func (k Killed) String() string {
	if k.Name == "" {
		return fmt.Sprintf("number %d", k.Number)
	}
	return k.Name
}

// errNoRecord means that the logs can be read and do not have it.
var errNoRecord = errors.New("the kernel has logged no record of it")

// Find looks for the record of the process with this number in the first pid
// namespace, killed at or after since. The error says why there is none.
func Find(ctx context.Context, pid int, since time.Time) (Killed, error) {
	return find(ctx, pid, since, []source{kernelLog, auditLog})
}

// source returns the lines of a log, or why it cannot be read.
type source func() (name string, lines []byte, err error)

func find(ctx context.Context, pid int, since time.Time, sources []source) (Killed, error) {
	for deadline := time.Now().Add(patience); ; {
		killed, err := look(pid, since, sources)
		if err == nil || !errors.Is(err, errNoRecord) || time.Now().After(deadline) {
			return killed, err
		}
		select {
		case <-ctx.Done():
			return Killed{}, context.Cause(ctx)
		case <-time.After(patience / 20):
		}
	}
}

// look asks every source once. One that can be read makes the others' faults
// unimportant.
func look(pid int, since time.Time, sources []source) (Killed, error) {
	var faults []error
	for _, read := range sources {
		name, lines, err := read()
		if err != nil {
			faults = append(faults, fmt.Errorf("read %s: %w", name, err))
			continue
		}
		if killed, ok := search(lines, pid, since); ok {
			killed.Source = name
			return killed, nil
		}
	}
	if len(faults) == len(sources) {
		return Killed{}, errors.Join(faults...)
	}
	return Killed{}, errNoRecord
}

// record is a seccomp record of either log:
//
//	type=1326 audit(1795233912.246:1540): … pid=6061 comm=… sig=31 arch=c000003e syscall=272 …
//
// comm is the process's to choose; the kernel writes it in hexadecimal when it holds
// a quote or a space, and what counts stands before or behind it.
var record = regexp.MustCompile(`type=(?:1326|SECCOMP) (?:msg=)?audit\((\d+)\.(\d{3}):\d+\): .*? pid=(\d+) comm=\S+ .*?sig=31 arch=([0-9a-f]+) syscall=(\d+) `)

func search(lines []byte, pid int, since time.Time) (found Killed, ok bool) {
	for line := range strings.Lines(string(lines)) {
		parts := record.FindStringSubmatch(line)
		if parts == nil || parts[3] != strconv.Itoa(pid) || !notBefore(parts[1], parts[2], since) {
			continue
		}
		number, err := strconv.ParseUint(parts[5], 10, 32)
		if err != nil {
			continue
		}
		found, ok = Killed{Name: name(parts[4], uint32(number)), Number: uint32(number)}, true
	}
	return found, ok
}

// notBefore keeps an earlier process's record, whose number was given again, apart.
// Audit time is the kernel's coarse clock, up to ten milliseconds behind.
func notBefore(seconds, millis string, since time.Time) bool {
	s, errS := strconv.ParseInt(seconds, 10, 64)
	ms, errMS := strconv.ParseInt(millis, 10, 64)
	const coarse = 10 * time.Millisecond
	return errS == nil && errMS == nil && !time.Unix(s, ms*int64(time.Millisecond)).Before(since.Add(-coarse))
}

func name(token string, number uint32) string {
	switch token {
	case "c000003e":
		return seccomp.NameOf(seccomp.AMD64, number)
	case "c00000b7":
		return seccomp.NameOf(seccomp.ARM64, number)
	default:
		return ""
	}
}

func auditLog() (string, []byte, error) {
	const name = "the audit log"
	file, err := os.Open(auditFile)
	if err != nil {
		return name, nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return name, nil, err
	}
	lines, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-maxFile), maxFile))
	return name, lines, err
}
