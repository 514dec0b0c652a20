package container

import (
	"bufio"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"hotcell/internal/job"
)

// cpuInfo tells of each processor. The first stands for all: sandboxes are not bound to one.
const cpuInfo = "/proc/cpuinfo"

// maxCPUInfo bounds what is read of it, in bytes: one processor's part has below 3,000.
const maxCPUInfo = 16 << 10

// vectorFeature are the instructions by which numpy and OpenBLAS choose how they compute, and
// so the last digits of what they do.
var vectorFeature = regexp.MustCompile(`^(ssse3|sse4_[12]|avx.*|fma|f16c|amx_.*|asimd.*|sve.*)$`)

// ThisCPU is the processor of the machine that this process runs on. What cannot be read is
// left out.
func ThisCPU() job.CPU {
	file, err := os.Open(cpuInfo)
	if err != nil {
		return job.CPU{Features: []string{}}
	}
	defer file.Close()
	return ParseCPU(io.LimitReader(file, maxCPUInfo))
}

// ParseCPU reads /proc/cpuinfo: the first processor's part.
func ParseCPU(from io.Reader) job.CPU {
	found := job.CPU{Features: []string{}}
	for lines := bufio.NewScanner(from); lines.Scan() && strings.TrimSpace(lines.Text()) != ""; {
		name, value, _ := strings.Cut(lines.Text(), ":")
		switch strings.TrimSpace(name) {
		case "model name", "CPU part": // of x86; of ARM, which gives its number only
			found.Model = strings.TrimSpace(value)
		case "flags", "Features":
			found.Features = slices.DeleteFunc(strings.Fields(value), func(flag string) bool { return !vectorFeature.MatchString(flag) })
			slices.Sort(found.Features)
		}
	}
	return found
}
