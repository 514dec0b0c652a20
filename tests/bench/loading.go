package main

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed loading.py
var loadingProgram string

// loadedMB are the sizes of tables, of which JSON Lines has those up to mostJSON: pandas takes
// gigabytes for more.
var loadedMB = []int{1, 10, 100, 200, 500}

const (
	mostJSON   = 100
	loadRounds = 3
	loadedName = "visits"
	// loadedGoal is how much CPU time a table of 200 MB may take.
	loadedGoal, loadedGoalMS = 200, 50
)

// loadWays are those of loading.py. The first is what a run has.
var loadWays = []string{"prepared", "prepared, mean by a column of text", "CSV", "JSON Lines"}

// loading measures what a table costs to be there, prepared and parsed.
func (l *lab) loading(ctx context.Context) (page, error) {
	t := table{name: "loading", head: []string{"table", "way", "CPU ms", "beside prepared", "memory MB"}}
	wanted := sample{}
	for _, megabytes := range loadedMB {
		progress("a table of %d MB is prepared and loaded", megabytes)
		found, err := l.load(ctx, megabytes)
		if err != nil {
			return page{}, err
		}
		for _, way := range loadWays {
			if took := found[way]; len(took.cpu) > 0 {
				t.add(sizeName(megabytes), way, ms(took.cpu.p50()), times(took.cpu.p50()/found[loadWays[0]].cpu.p50()), ms(took.bytes.p50()/1e6))
			}
		}
		if megabytes == loadedGoal {
			wanted = found[loadWays[0]].cpu
		}
	}
	return page{tables: []table{t, goalTable("loading-goal", []goal{{
		what: fmt.Sprintf("a prepared table of %d MB, CPU time until it is there, median", loadedGoal), bound: loadedGoalMS, unit: "ms", measured: wanted.p50(),
	}})}}, nil
}

// loaded is what one way took.
type loaded struct{ cpu, bytes sample }

// load measures one size, the ways in turns.
func (l *lab) load(ctx context.Context, megabytes int) (map[string]loaded, error) {
	copied, err := l.prepareTable(ctx, megabytes)
	if err != nil {
		return nil, err
	}
	program, err := l.startInImage(ctx, copied, loadingProgram, loadedName)
	if err != nil {
		return nil, err
	}
	found := map[string]loaded{}
	for range loadRounds {
		for _, way := range loadWays {
			if way == "JSON Lines" && megabytes > mostJSON {
				continue
			}
			took, err := program.ask(way)
			if err != nil || len(took) != 2 {
				return nil, errors.Join(fmt.Errorf("load %d MB, %s: %d figures", megabytes, way, len(took)), err)
			}
			found[way] = loaded{append(found[way].cpu, took[0]), append(found[way].bytes, took[1])}
		}
	}
	return found, nil
}

// prepareTable is a store's copy of a bundle with one table of so many MB, as CSV and, where
// pandas can read it, as JSON Lines.
func (l *lab) prepareTable(ctx context.Context, megabytes int) (string, error) {
	state, err := l.state(fmt.Sprintf("loading-%d", megabytes))
	if err != nil {
		return "", err
	}
	dir := l.path(fmt.Sprintf("export-%d", megabytes))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	if err := writeTyped(filepath.Join(dir, loadedName+".csv"), megabytes, "visit,ward,value,note\n", "%d,ward %d,%d.%03d,%s\n"); err != nil {
		return "", err
	}
	if megabytes <= mostJSON {
		const line = `{"visit":%d,"ward":"ward %d","value":%d.%03d,"note":"%s"}` + "\n"
		if err := writeTyped(filepath.Join(dir, loadedName+"_lines.jsonl"), megabytes, "", line); err != nil {
			return "", err
		}
	}
	if err := l.command(ctx, "bundle", "create", dir, "--name", "loading", "--version", "1", "--study", "bench", "--method", "synthetic",
		"--attested-by", "bench", "--statement", "made up"); err != nil {
		return "", err
	}
	if err := l.addBundle(ctx, state, dir); err != nil {
		return "", err
	}
	copies, err := filepath.Glob(filepath.Join(state, "bundles", "sha256-*"))
	if err != nil || len(copies) != 1 {
		return "", errors.Join(fmt.Errorf("the store has %d bundles", len(copies)), err)
	}
	return copies[0], nil
}

// typedRow is how long a row of writeTyped is: numbers, one of forty wards, and a short note
// of its own.
const typedRow = 60

// writeTyped writes so many MB of rows.
func writeTyped(path string, megabytes int, head, row string) (err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffered := bufio.NewWriterSize(file, 1<<20)
	fmt.Fprint(buffered, head)
	for visit := range megabytes * 1_000_000 / typedRow {
		fmt.Fprintf(buffered, row, visit, visit*7919%40, visit*31%1000, visit*17%999+1, note(visit, 30))
	}
	return buffered.Flush()
}
