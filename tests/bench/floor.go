package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

//go:embed floor.py
var floorProgram string

// floor is the program floor.py, in the image's root file system.
type floor struct {
	asked   io.WriteCloser
	answers *bufio.Reader
}

// startFloor starts a floor for scripts. dir has the table of that name, or is "".
func (l *lab) startFloor(ctx context.Context, dir, table string, scripts ...script) (*floor, error) {
	path := ""
	if dir != "" {
		path = "/bundle/" + table + ".csv"
	}
	words := []string{path, table}
	for _, one := range scripts {
		words = append(words, one.code)
	}
	return l.startInImage(ctx, dir, floorProgram, words...)
}

// startInImage starts a program in the image's root file system that answers as the floor
// does, once it has said that it is ready. dir is its /bundle, or "".
func (l *lab) startInImage(ctx context.Context, dir, program string, words ...string) (*floor, error) {
	argv := append([]string{
		"--mount", "--propagation", "private", "sh", "-euc",
		`mount -t proc proc "$0/proc"; [ -z "$1" ] || mount --bind "$1" "$0/bundle"; shift; exec env -i "$(command -v chroot)" "$0" /usr/bin/python3 -c "$@"`,
		l.image.Rootfs, dir, program,
	}, words...)
	command := exec.CommandContext(ctx, "unshare", argv...)
	asked, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	answers, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var said strings.Builder
	command.Stderr = &said
	if err := command.Start(); err != nil {
		return nil, err
	}
	l.atEnd(func() error {
		err := errors.Join(asked.Close(), command.Wait())
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("the floor: %w: %s", err, said.String())
		}
		return nil
	})
	f := &floor{asked, bufio.NewReader(answers)}
	if line, err := f.answers.ReadString('\n'); line != "ready\n" {
		return nil, fmt.Errorf("start the floor: %q: %w", line, err)
	}
	return f, nil
}

func (f *floor) ask(words string) (sample, error) {
	if _, err := io.WriteString(f.asked, words+"\n"); err != nil {
		return nil, fmt.Errorf("ask the floor: %w", err)
	}
	line, err := f.answers.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("ask the floor: %w", err)
	}
	var took sample
	for field := range strings.FieldsSeq(line) {
		figure, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, fmt.Errorf("ask the floor: %w", err)
		}
		took = append(took, figure)
	}
	if len(took) == 0 {
		return nil, errors.New("ask the floor: it measured nothing")
	}
	return took, nil
}

// once is one measurement: of a round of a script, by its number, or of "fork".
func (f *floor) once(words string) func(context.Context) (float64, error) {
	return func(context.Context) (float64, error) {
		took, err := f.ask(words)
		if err != nil {
			return 0, err
		}
		return took[0], nil
	}
}

// many measures rounds of the first script, of so many callers at a time.
func (f *floor) many(callers int, each time.Duration) (sample, error) {
	return f.ask(fmt.Sprintf("many 0 %d %g", callers, each.Seconds()))
}
