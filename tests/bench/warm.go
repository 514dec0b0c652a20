package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"hotcell/internal/engineapi"
	"hotcell/internal/job"
	"hotcell/internal/runner"
)

//go:embed floor.py
var floor string

// groupBy is the analysis of all rows: one line, over a table of about 100 MB.
const groupBy = "visits.groupby('site').value.mean().round(6).to_dict()"

// row is what was measured of one way to an answer.
type row struct {
	name string
	took []float64 // milliseconds
}

// quantile of what was measured, which is sorted.
func (r row) quantile(q float64) float64 { return r.took[int(q*float64(len(r.took)-1))] }

// benchWarm measures runs in sandboxes that were ready, from the request to the recorded
// result, beside the kernel's floor: the same group-by in a bare fork.
func benchWarm(ctx context.Context, runnerPath string, rounds int) (err error) {
	work, err := os.MkdirTemp("", "hotcell-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	image, err := lookUp(ctx, runnerPath)
	if err != nil {
		return err
	}
	data := filepath.Join(work, "data")
	if err := writeTable(data); err != nil {
		return err
	}
	state := filepath.Join(work, "state")
	stop, err := startEngine(ctx, runnerPath, state, image, data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	client, err := engineapi.Connect(ctx, state)
	if err != nil {
		return err
	}
	defer client.Close()
	bare, err := measureFloor(ctx, image.Rootfs, data, rounds)
	if err != nil {
		return err
	}
	rows := []row{bare}
	phases := map[string][]float64{}
	for _, script := range []string{groupBy, "1 + 1"} {
		measured, err := measureWarm(ctx, client, script, rounds, phases)
		if err != nil {
			return err
		}
		rows = append(rows, measured)
	}
	return printWarm(rows, phases)
}

// writeTable writes a table of 200,000 rows and 100 MB.
func writeTable(dir string) error {
	const rows, note = 200_000, 470
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, "visits.csv"))
	if err != nil {
		return err
	}
	defer file.Close()
	buffered := bufio.NewWriter(file)
	fmt.Fprintln(buffered, "visit,site,value,note")
	filler := strings.Repeat("x", note)
	for visit := range rows {
		fmt.Fprintf(buffered, "%d,%d,%d.%03d,%s\n", visit, visit*7919%50, visit*31%1000, visit*17%1000, filler)
	}
	return errors.Join(buffered.Flush(), file.Close())
}

// startEngine starts an engine process with a state of its own, the image linked into it,
// and sandboxes ready for the bundle.
func startEngine(ctx context.Context, runnerPath, state string, image image, data string) (stop func() error, err error) {
	if err := os.Mkdir(state, 0o700); err != nil {
		return nil, err
	}
	if err := os.Symlink(filepath.Dir(filepath.Dir(image.Rootfs)), filepath.Join(state, "images")); err != nil {
		return nil, err
	}
	environment := append(os.Environ(), "HOTCELL_STATE="+state)
	for _, args := range [][]string{
		{"bundle", "create", data, "--name", "bench", "--version", "1", "--study", "bench", "--method", "synthetic", "--attested-by", "bench", "--statement", "made up"},
		{"bundle", "add", data},
	} {
		command := exec.CommandContext(ctx, runnerPath, args...)
		command.Env = environment
		if out, err := command.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v: %w: %s", args, err, out)
		}
	}
	engine := exec.CommandContext(ctx, runnerPath, "engine", "--engine", "oci", "--runtime", "crun", "--warm", "study-analysis:bench", "--warm", "study-analysis")
	engine.Env = environment
	engine.Cancel = func() error { return engine.Process.Signal(os.Interrupt) }
	said, err := engine.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := engine.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "engine ready") {
			go func() { _, _ = io.Copy(os.Stderr, said) }()
			return func() error { return errors.Join(engine.Process.Signal(os.Interrupt), engine.Wait()) }, nil
		}
	}
	return nil, fmt.Errorf("the engine did not start: %w", engine.Wait())
}

// measureFloor runs the floor in the image's root file system.
func measureFloor(ctx context.Context, rootfs, data string, rounds int) (row, error) {
	command := exec.CommandContext(ctx, "unshare", "--mount", "--propagation", "private", "sh", "-euc",
		`mount --bind "$1" "$0/bundle"; exec env -i "$(command -v chroot)" "$0" /usr/bin/python3 -c "$2" "$3" "$4"`,
		rootfs, data, floor, strconv.Itoa(rounds), groupBy)
	printed, err := command.Output()
	if err != nil {
		return row{}, fmt.Errorf("measure the floor: %w", err)
	}
	bare := row{name: "a bare fork into six namespaces, group-by"}
	for line := range strings.FieldsSeq(string(bytes.TrimSpace(printed))) {
		took, err := strconv.ParseFloat(line, 64)
		if err != nil {
			return row{}, err
		}
		bare.took = append(bare.took, took)
	}
	slices.Sort(bare.took)
	return bare, nil
}

// measureWarm sends one request after the other, each when a sandbox had the time to be
// made ready; one that was not ready is an error.
func measureWarm(ctx context.Context, client *engineapi.Client, script string, rounds int, phases map[string][]float64) (row, error) {
	const pause = 150 * time.Millisecond // a sandbox is made in about 60 ms
	measured := row{name: "warm, " + script}
	request := job.Request{Policy: "study-analysis", Code: []byte(script), ScriptName: "bench.py"}
	if script == groupBy {
		measured.name, request.Bundle = "warm, group-by, recorded", "bench"
	}
	for turn := range rounds + 1 {
		time.Sleep(pause)
		begun := time.Now()
		response, err := client.Run(ctx, runner.Ask{Request: request})
		took := time.Since(begun)
		switch {
		case err != nil:
			return row{}, err
		case response.Result.Status != job.Succeeded:
			return row{}, fmt.Errorf("%s: %s: %+v", script, response.Result.Status, response.Result.Error)
		case response.Trace == nil || !response.Trace.Warm:
			return row{}, errors.New("a sandbox was not ready: the machine is too busy to measure")
		case turn == 0:
			continue
		}
		measured.took = append(measured.took, float64(took.Microseconds())/1000)
		for _, one := range response.Trace.Phases {
			phases[one.Phase] = append(phases[one.Phase], one.MS)
		}
	}
	slices.Sort(measured.took)
	return measured, nil
}

func printWarm(rows []row, phases map[string][]float64) error {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tto the floor\tp50 ms\tp99 ms\tn\t")
	for _, one := range rows {
		fmt.Fprintf(table, "%s\t%.2f\t%.1f\t%.1f\t%d\t\n", one.name, one.quantile(0.5)/rows[0].quantile(0.5), one.quantile(0.5), one.quantile(0.99), len(one.took))
	}
	fmt.Fprintln(table, "\t\t\t\t\t")
	for _, name := range []string{"preparing", "acquiring", "starting", "running", "verifying", "committing"} {
		took := row{took: phases[name]}
		if len(took.took) == 0 {
			continue
		}
		slices.Sort(took.took)
		fmt.Fprintf(table, "of the warm ones: %s\t\t%.1f\t%.1f\t%d\t\n", name, took.quantile(0.5), took.quantile(0.99), len(took.took))
	}
	return table.Flush()
}
