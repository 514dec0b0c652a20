package containertest

import (
	_ "embed"
	"encoding/json"
)

// Name names a behaviour.
type Name string

// The behaviours. What each one reports is in the type named after the arrow;
// "ready" and the like are lines of text.
const (
	Echo             Name = "echo"              // copies stdin to stdout until the end of stdin
	ExitWith         Name = "exit"              // ends with Code at once
	Crash            Name = "crash"             // is ended by Signal: SIGSEGV, SIGBUS, or SIGSYS through sethostname(2)
	Hang             Name = "hang"              // ignores every signal → "ready", then sleeps for good
	CloseStreams     Name = "close-streams"     // → "ready", closes descriptors 0 to 2, then sleeps for good
	Interruptible    Name = "interruptible"     // → "working", works; → "waiting", sleeps: each for good, till a line of stdin → "interrupted"; ends at the end of stdin
	Orphans          Name = "orphans"           // leaves Count detached processes that hold the streams → "ready"; at the end of stdin ends with Code
	Allocate         Name = "allocate"          // touches Bytes of memory → "allocated"; ends at the end of stdin
	AllocateInChild  Name = "allocate-in-child" // the same in a child → ChildReport; ends at the end of stdin
	AllocateShared   Name = "allocate-shared"   // touches Bytes in a process with the program's memory → "allocated"
	AllocateOrphaned Name = "allocate-orphaned" // the same in a thread, when the first one has ended
	ForkMany         Name = "fork-many"         // starts up to Count processes → StartReport; ends at the end of stdin
	ThreadMany       Name = "thread-many"       // starts up to Count threads → StartReport; ends at the end of stdin
	Burn             Name = "burn"              // uses MS of CPU time, in Count children too; for good when MS is 0 → "burnt"
	FillBytes        Name = "fill-bytes"        // writes files of FileBytes in Path until refused, at most Bytes → FillReport
	FillInodes       Name = "fill-inodes"       // makes directories in Path until refused, at most Count → FillReport
	OpenMany         Name = "open-many"         // opens up to Count descriptors → FillReport
	WriteFiles       Name = "write-files"       // writes Files → "written"; ends at the end of stdin
	PlantLinks       Name = "plant-links"       // leaves symlink, pipe, and first and second (one file) in the output
	Restless         Name = "restless"          // changes the output in every way, by threads and children → "ready"; for good
	ReadFile         Name = "read-file"         // → ReadReport of Path
	ListDirectory    Name = "list-directory"    // → ReadReport of Path
	ChangeFile       Name = "change-file"       // tries to change the file at Path → map of the way to its errno name
	FindWritable     Name = "find-writable"     // → sorted list of what can be written outside /proc
	PrintEnvironment Name = "environment"       // → list of "KEY=value"
	Flood            Name = "flood"             // writes Pattern to Streams in turn until Bytes are in each; for good when Bytes is 0
	Network          Name = "network"           // → NetworkReport about Targets
	ReportIdentity   Name = "identity"          // → Identity, with the devices below Path; ends at the end of stdin
)

// Behaviour is a behaviour with its parameters. Those that a Name does not
// mention are not used.
type Behaviour struct {
	Name      Name              `json:"name"`
	Code      int               `json:"code"`
	Signal    string            `json:"signal"`
	Count     int64             `json:"count"`
	Bytes     int64             `json:"bytes"`
	MS        int64             `json:"ms"`
	FileBytes int64             `json:"file_bytes"`
	Path      string            `json:"path"`
	Files     map[string]string `json:"files"` // absolute path to content
	Streams   []int             `json:"streams"`
	Targets   [][2]any          `json:"targets"` // family, and [host, port] or the name of an abstract socket
	// Marker is unique to the sandbox. It stands in the argument vector, by which
	// the processes of a sandbox are found from outside.
	Marker string `json:"marker"`
}

//go:embed program.py
var program string

// PythonCommand returns the argument vector that shows b in an image with a
// Python of 3.11 or later at /usr/bin/python3 and nothing else.
func PythonCommand(b Behaviour) []string {
	return []string{"/usr/bin/python3", "-sBP", "-c", program, b.JSON()}
}

// JSON is the last argument of PythonCommand.
func (b Behaviour) JSON() string {
	encoded, err := json.Marshal(b)
	if err != nil {
		panic(err) // Behaviour has no field that JSON cannot hold
	}
	return string(encoded)
}

// Pattern returns the first size bytes of what Flood writes.
func Pattern(size int64) []byte {
	pattern := make([]byte, size)
	for i := range pattern {
		pattern[i] = byte(i)
	}
	return pattern
}

// ChildReport tells by which signal a child ended, 0 for none.
type ChildReport struct {
	Signal int `json:"signal"`
}

// StartReport tells how many processes or threads were started, and the errno
// name of the refusal, "" for none.
type StartReport struct {
	Started int64  `json:"started"`
	Errno   string `json:"errno"`
}

// FillReport tells how much was used up, and the errno name of the refusal, ""
// for none.
type FillReport struct {
	Bytes int64  `json:"bytes"`
	Files int64  `json:"files"`
	Errno string `json:"errno"`
}

// ReadReport is what a path holds, or the errno name of the refusal.
type ReadReport struct {
	Content string   `json:"content"`
	Names   []string `json:"names"`
	Errno   string   `json:"errno"`
}

// NetworkReport is what the sandbox sees of the network. Attempts holds the errno
// name for each target, "" for a connection.
type NetworkReport struct {
	Interfaces []string `json:"interfaces"`
	LoopbackUp bool     `json:"loopback_up"`
	Attempts   []string `json:"attempts"`
}

// Identity is what the guard's process finds out about itself.
type Identity struct {
	UIDs             []int             `json:"uids"` // real, effective, saved
	GIDs             []int             `json:"gids"`
	Groups           []int             `json:"groups"`
	Capabilities     map[string]string `json:"capabilities"` // CapInh, CapPrm, CapEff, CapBnd, CapAmb in hexadecimal
	NoNewPrivs       string            `json:"no_new_privs"` // "1"
	Seccomp          string            `json:"seccomp"`      // "2" is filter mode
	Descriptors      map[string]string `json:"descriptors"`  // number to target
	WorkingDirectory string            `json:"working_directory"`
	Hostname         string            `json:"hostname"`
	Namespaces       map[string]string `json:"namespaces"` // as readlink of /proc/self/ns shows them
	Mounts           []Mount           `json:"mounts"`
	Devices          []Device          `json:"devices"`   // nodes that can be opened
	Processes        []int             `json:"processes"` // visible in /proc
	PID              int               `json:"pid"`
	Session          int               `json:"session"`
	Terminal         bool              `json:"terminal"`
	CoreLimit        [2]int64          `json:"core_limit"` // soft, hard
	FileLimit        [2]int64          `json:"file_limit"`
	SizeLimit        [2]int64          `json:"size_limit"`
}

// Device is a device node. Numbers are the kernel's, as "major:minor".
type Device struct {
	Path    string `json:"path"`
	Numbers string `json:"numbers"`
}

// Mount is one line of /proc/self/mountinfo.
type Mount struct {
	Target       string   `json:"target"`
	Options      []string `json:"options"`
	Type         string   `json:"type"`
	SuperOptions []string `json:"super_options"`
}
