package seccomp

import "strconv"

// Action is what becomes of a system call, in libseccomp's words.
type Action string

// The actions that a profile may use.
const (
	Allow       Action = "SCMP_ACT_ALLOW"
	Deny        Action = "SCMP_ACT_ERRNO"        // the call fails with an Errno
	KillProcess Action = "SCMP_ACT_KILL_PROCESS" // SIGSYS to the whole process; cannot be caught
)

// Errno is the error that a denied call returns, by its name in errno(3).
type Errno string

// The errors that a profile may use.
const (
	EPERM  Errno = "EPERM"
	EACCES Errno = "EACCES"
	ENOTTY Errno = "ENOTTY"
	ENOSYS Errno = "ENOSYS" // where libc or a runtime falls back to an older call
)

// Number returns the errno's number, the same on every architecture of Arch, or
// 0 for an Errno that is not one of the constants.
func (e Errno) Number() uint16 {
	switch e {
	case EPERM:
		return 1
	case EACCES:
		return 13
	case ENOTTY:
		return 25
	case ENOSYS:
		return 38
	default:
		return 0
	}
}

// Arch is a system call table, in libseccomp's words.
type Arch string

// The architectures that a profile may name. x32 is not one: its calls share the
// architecture token of x86_64 and are killed.
const (
	AMD64 Arch = "SCMP_ARCH_X86_64"
	ARM64 Arch = "SCMP_ARCH_AARCH64"
)

// Native returns the Arch of a Go architecture (runtime.GOARCH).
func Native(goarch string) (arch Arch, ok bool) {
	switch goarch {
	case "amd64":
		return AMD64, true
	case "arm64":
		return ARM64, true
	default:
		return "", false
	}
}

// Condition holds when the argument at Index, masked, equals Value.
type Condition struct {
	Index uint // 0 to 5
	Mask  uint64
	Value uint64
}

func (c Condition) holds(args [6]uint64) bool { return args[c.Index]&c.Mask == c.Value }

// String is the condition as people read it.
func (c Condition) String() string {
	text := "arg" + strconv.FormatUint(uint64(c.Index), 10)
	if c.Mask != allBits {
		text += " & " + hex(c.Mask)
	}
	return text + " == " + hex(c.Value)
}

const allBits = ^uint64(0)

func hex(value uint64) string { return "0x" + strconv.FormatUint(value, 16) }
