//go:build ignore

// Command gen_syscalls writes syscalls.tsv from the system call numbers of
// golang.org/x/sys/unix.
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// SYS_ARCH_SPECIFIC_SYSCALL marks a range of numbers and is no call.
const marker = "arch_specific_syscall"

var constant = regexp.MustCompile(`(?m)^\tSYS_(\w+) += (\d+)$`)

func main() {
	log.SetFlags(0)
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		log.Fatalf("find golang.org/x/sys: %v", err)
	}
	table := map[string][2]string{}
	for i, goarch := range []string{"amd64", "arm64"} {
		path := filepath.Join(strings.TrimSpace(string(dir)), "unix", "zsysnum_linux_"+goarch+".go")
		source, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		for _, match := range constant.FindAllStringSubmatch(string(source), -1) {
			name := strings.ToLower(match[1])
			row, known := table[name]
			if !known {
				row = [2]string{"-", "-"}
			}
			row[i] = match[2]
			table[name] = row
		}
	}
	delete(table, marker)
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(table)) {
		fmt.Fprintf(&text, "%s\t%s\t%s\n", name, table[name][0], table[name][1])
	}
	if err := os.WriteFile("syscalls.tsv", []byte(text.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}
