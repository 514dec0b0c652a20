package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
)

// sites is how many groups the group-by has, and rowBytes how long a row is.
const (
	sites    = 50
	rowBytes = 500
)

// writeTable writes a table of so many MB as dir/NAME.csv. Each note is another one: pandas
// keeps equal strings once, and a table of one note would be next to nothing in memory.
func writeTable(dir, name string, megabytes int) (err error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	// Containers that plain runtimes make have users of their own.
	file, err := os.OpenFile(filepath.Join(dir, name+".csv"), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffered := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprintln(buffered, "visit,site,value,note")
	for visit := range megabytes * 1_000_000 / rowBytes {
		numbers := fmt.Sprintf("%d,%d,%d.%03d,", visit, visit*7919%sites, visit*31%1000, visit*17%1000)
		fmt.Fprintf(buffered, "%s%s\n", numbers, note(visit, rowBytes-len(numbers)-1))
	}
	return buffered.Flush()
}

// note is a text of so many characters that no other number has.
func note(number, length int) []byte {
	text := fmt.Appendf(nil, "%d-", number)
	sum := fnv.New64a()
	for len(text) < length {
		_, _ = sum.Write([]byte{byte(number), byte(number >> 8), byte(number >> 16)})
		text = fmt.Appendf(text, "%016x", sum.Sum64())
	}
	return text[:length]
}

// makeBundle writes a bundle with one table of so many MB.
func (l *lab) makeBundle(ctx context.Context, dir, name, table string, megabytes int) error {
	if err := writeTable(dir, table, megabytes); err != nil {
		return err
	}
	return l.command(ctx, "bundle", "create", dir, "--name", name, "--version", "1", "--study", "bench", "--method", "synthetic",
		"--attested-by", "bench", "--statement", "made up")
}

// addBundle adds a directory to the bundles of a state directory.
func (l *lab) addBundle(ctx context.Context, state, dir string) error {
	return l.command(ctx, "bundle", "add", dir, "--state", state)
}

func (l *lab) command(ctx context.Context, args ...string) error {
	if out, err := exec.CommandContext(ctx, l.options.runner, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w: %s", args, err, out)
	}
	return nil
}
