// Package replication compares a run with the same run made again.
//
// It decides what counts as the same: every byte, or numbers that differ by no more than a
// tolerance. It does not run anything and believes neither of the two: of each file it compares
// the bytes that the result names by hash, or none, and they are still a script's own words.
package replication

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"hotcell/internal/beneath"
	"hotcell/internal/job"
)

// Run is one of the two.
type Run struct {
	Result job.Result
	Files  fs.FS // its released files, by the paths in Result.Files
}

// Check reads all files, and holds them to what the result says of them.
func (r Run) Check(ctx context.Context) error {
	for _, file := range r.Result.Files {
		if err := r.copy(ctx, io.Discard, file); err != nil {
			return fmt.Errorf("the run's file %w", err)
		}
	}
	return nil
}

// read is what is compared: the bytes that the result names, and no others.
func (r Run) read(ctx context.Context, file job.File) ([]byte, error) {
	var data bytes.Buffer
	err := r.copy(ctx, &data, file)
	return data.Bytes(), err
}

func (r Run) copy(ctx context.Context, to io.Writer, file job.File) (err error) {
	from, err := r.Files.Open(file.Path)
	if err == nil {
		err = errors.Join(beneath.CopyNamed(ctx, to, from, file.SHA256.Digest(), file.Bytes), from.Close())
	}
	if err != nil {
		err = fmt.Errorf("%s is not the one that its record names: %w", file.Path, err)
	}
	return err
}

// Tolerance is how far two numbers may lie apart that count as the same: by no more than
// Absolute, or than Relative times the larger one. Numbers that are written as integers must
// be equal. The zero Tolerance wants every byte.
type Tolerance struct {
	Relative float64 `json:"relative"`
	Absolute float64 `json:"absolute"`
}

// Agreement is what the comparison comes to.
type Agreement string

// The verdicts.
const (
	Identical Agreement = "identical"        // in every byte
	Within    Agreement = "within_tolerance" // but for numbers within the tolerance, and pictures of the same pixels
	Different Agreement = "different"
)

// Comparison is what two runs have in common, and what not.
type Comparison struct {
	Agreement   Agreement    `json:"verdict"`
	Tolerance   Tolerance    `json:"tolerance"`
	Compared    int          `json:"compared"` // parts of the answer, and files
	Differences []Difference `json:"differences"`
	// Circumstances are what the two ran on that is not the same: where a difference may come
	// from. They do not count.
	Circumstances []Circumstance `json:"circumstances"`
}

// Difference is one part of the answer, or one file, that is not the same in every byte.
type Difference struct {
	Part string `json:"part"` // a member of the result, such as "stdout", or "file"
	Path string `json:"path,omitempty"`
	Kind Kind   `json:"kind"`
	// Line is the first that differs, 1-based, for text; 0 where there is none.
	Line int `json:"line,omitempty"`
	// Numbers are how many numbers are not the same, and Largest is the largest relative
	// difference of two of them, for KindNumbers.
	Numbers int     `json:"numbers,omitempty"`
	Largest float64 `json:"largest,omitempty"`
	Counts  bool    `json:"counts"` // false where it is within the tolerance
}

// Kind says in which way two parts differ.
type Kind string

// The kinds.
const (
	KindMissing Kind = "missing" // the second has none
	KindAdded   Kind = "added"   // the first has none
	KindNumbers Kind = "numbers" // text that is the same but for its numbers
	KindText    Kind = "text"
	KindPixels  Kind = "pixels"  // a picture of other pixels
	KindWriting Kind = "writing" // the same pixels, or the same JSON, in other bytes
	KindBytes   Kind = "bytes"
)

// Circumstance is what two runs ran on.
type Circumstance struct {
	Name   string `json:"name"` // a member of the provenance
	First  string `json:"first"`
	Second string `json:"second"`
}

// Compare compares a run with a later one. The error is of a file that cannot be read.
func Compare(ctx context.Context, first, second Run, tolerance Tolerance) (Comparison, error) {
	c := comparison{tolerance: tolerance}
	c.answers(first.Result, second.Result)
	if err := c.files(ctx, first, second); err != nil {
		return Comparison{}, err
	}
	made := Comparison{
		Agreement: Identical, Tolerance: tolerance, Compared: c.compared,
		Differences: append([]Difference{}, c.found...), Circumstances: circumstances(first.Result.Provenance, second.Result.Provenance),
	}
	for _, difference := range c.found {
		if difference.Counts {
			made.Agreement = Different
			return made, nil
		}
		made.Agreement = Within
	}
	return made, nil
}

type comparison struct {
	tolerance Tolerance
	compared  int
	found     []Difference
}

// answers compares what is not a file.
func (c *comparison) answers(first, second job.Result) {
	c.exact("status", string(first.Status)+" "+string(first.Limit), string(second.Status)+" "+string(second.Limit))
	c.exact("violations", rules(first.Violations), rules(second.Violations))
	c.exact("warnings", rules(first.Warnings), rules(second.Warnings))
	c.exact("tool_calls", calls(first.ToolCalls), calls(second.ToolCalls))
	c.text("error", failure(first.Error), failure(second.Error))
	c.text("stdout", first.Stdout, second.Stdout)
	c.text("stderr", first.Stderr, second.Stderr)
	c.json("result", first.Value, second.Value)
	for index := range max(len(first.Charts), len(second.Charts)) {
		part := fmt.Sprintf("charts[%d]", index)
		switch {
		case index >= len(second.Charts):
			c.add(Difference{Part: part, Kind: KindMissing, Counts: true})
		case index >= len(first.Charts):
			c.add(Difference{Part: part, Kind: KindAdded, Counts: true})
		case first.Charts[index].Path != second.Charts[index].Path:
			c.add(Difference{Part: part, Kind: KindText, Counts: true})
		default:
			c.json(part, first.Charts[index].Spec, second.Charts[index].Spec)
		}
	}
}

func (c *comparison) add(found Difference) {
	c.compared++
	c.found = append(c.found, found)
}

// exact compares what a tolerance means nothing for.
func (c *comparison) exact(part, first, second string) {
	if first == second {
		c.compared++
		return
	}
	c.add(Difference{Part: part, Kind: KindText, Counts: true})
}

func (c *comparison) text(part, first, second string) {
	c.told(Difference{Part: part}, compareText([]byte(first), []byte(second), c.tolerance))
}

// told keeps a difference of two texts.
func (c *comparison) told(of Difference, found textDifference) {
	if found.kind == "" {
		c.compared++
		return
	}
	of.Kind, of.Line, of.Numbers, of.Largest, of.Counts = found.kind, found.line, found.numbers, found.largest, found.counts
	c.add(of)
}

func rules(violations []job.Violation) string {
	lines := make([]string, len(violations))
	for index, one := range violations {
		lines[index] = fmt.Sprintf("%s %d:%d %s %s", one.Rule, one.Line, one.Column, one.Path, one.Message)
	}
	return strings.Join(lines, "\n")
}

func calls(made []job.ToolCall) string {
	lines := make([]string, len(made))
	for index, one := range made {
		lines[index] = fmt.Sprintf("%s %t %s", one.Name, one.OK, one.Error)
	}
	return strings.Join(lines, "\n")
}

func failure(of *job.Error) string {
	if of == nil {
		return ""
	}
	return fmt.Sprintf("%s at line %d: %s", of.Type, of.Line, of.Message)
}

// circumstances are those that may have to do with a difference.
func circumstances(first, second job.Provenance) []Circumstance {
	found := []Circumstance{}
	for _, each := range []Circumstance{
		{"runner", first.Runner, second.Runner},
		{"policy", first.Policy + " " + string(first.PolicySHA256), second.Policy + " " + string(second.PolicySHA256)},
		{"image", first.Image.String(), second.Image.String()},
		{"bundle", first.Bundle.String(), second.Bundle.String()},
		{"engine", first.Engine, second.Engine},
		{"runtime", first.Runtime, second.Runtime},
		{"kernel", first.Kernel, second.Kernel},
		{"cpu", first.CPU.Model, second.CPU.Model},
		{"cpu features", strings.Join(first.CPU.Features, " "), strings.Join(second.CPU.Features, " ")},
	} {
		if each.First != each.Second {
			found = append(found, each)
		}
	}
	if otherTables(first, second) {
		found = append(found, Circumstance{tablesName, string(first.TablesSHA256), string(second.TablesSHA256)})
	}
	return found
}

const tablesName = "prepared tables"

// otherTables reports that the two had other tables of one bundle. Records of versions that did
// not say which they had are not compared.
func otherTables(first, second job.Provenance) bool {
	return first.Bundle == second.Bundle && first.TablesSHA256 != "" && second.TablesSHA256 != "" && first.TablesSHA256 != second.TablesSHA256
}

// OtherTables is where the two had the same bundle and other tables: other data than it names,
// for one of them, or two forms of the same.
func (c Comparison) OtherTables() (found Circumstance, differ bool) {
	at := slices.IndexFunc(c.Circumstances, func(one Circumstance) bool { return one.Name == tablesName })
	if at < 0 {
		return found, false
	}
	return c.Circumstances[at], true
}

// files compares the released files by their paths.
func (c *comparison) files(ctx context.Context, first, second Run) error {
	others := make(map[string]job.File, len(second.Result.Files))
	for _, file := range second.Result.Files {
		others[file.Path] = file
	}
	for _, file := range first.Result.Files {
		other, there := others[file.Path]
		delete(others, file.Path)
		switch {
		case !there:
			c.add(Difference{Part: "file", Path: file.Path, Kind: KindMissing, Counts: true})
		case file.SHA256 == other.SHA256:
			c.compared++
		default:
			if err := c.file(ctx, first, second, file, other); err != nil {
				return err
			}
		}
	}
	added := make([]string, 0, len(others))
	for path := range others {
		added = append(added, path)
	}
	slices.Sort(added)
	for _, path := range added {
		c.add(Difference{Part: "file", Path: path, Kind: KindAdded, Counts: true})
	}
	return nil
}

// file compares two files of one path whose bytes differ.
func (c *comparison) file(ctx context.Context, first, second Run, file, other job.File) error {
	before, err := first.read(ctx, file)
	if err != nil {
		return fmt.Errorf("compare: the first run's file %w", err)
	}
	after, err := second.read(ctx, other)
	if err != nil {
		return fmt.Errorf("compare: the second run's file %w", err)
	}
	of := Difference{Part: "file", Path: file.Path, Kind: KindBytes, Counts: true}
	switch {
	case file.MediaType == "image/png" || file.MediaType == "image/jpeg":
		of.Kind, of.Counts = comparePictures(before, after)
		c.add(of)
	case strings.HasPrefix(file.MediaType, "text/") || file.MediaType == "application/json" || file.MediaType == "image/svg+xml":
		c.told(of, compareText(before, after, c.tolerance))
	default:
		c.add(of)
	}
	return nil
}
