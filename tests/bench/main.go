// Command bench prints the latency of cold runs through each engine, beside
// plain `docker run` and plain `runc run` of the same image, in one table.
//
// Every round runs each candidate once, so that all of them meet the same
// machine; compare within one table only.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	specs "github.com/opencontainers/runtime-spec/specs-go"

	"hotcell/internal/digest"
)

// candidate is one way to run a script.
type candidate struct {
	name string
	argv func(script string) []string
	took []time.Duration
}

var scripts = []struct{ name, code string }{
	{"1 + 1", "1 + 1"},
	{"import pandas", "import pandas"},
}

func main() {
	log.SetFlags(0)
	rounds := flag.Int("rounds", 10, "runs of each candidate that count, after one that does not")
	runner := flag.String("runner", "bin/runner", "the runner to measure")
	warm := flag.Int("warm", 0, "instead measure so many runs in sandboxes that were ready, beside the kernel's floor")
	flag.Parse()
	if *warm > 0 {
		if err := benchWarm(context.Background(), *runner, *warm); err != nil {
			log.Fatal("bench: ", err)
		}
		return
	}
	if err := bench(context.Background(), *runner, *rounds); err != nil {
		log.Fatal("bench: ", err)
	}
}

func bench(ctx context.Context, runner string, rounds int) error {
	work, err := os.MkdirTemp("", "hotcell-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	image, err := lookUp(ctx, runner)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "script\tran by\tmin ms\tmedian ms\tmax ms\t")
	for _, script := range scripts {
		candidates, err := prepare(ctx, work, runner, image)
		if err != nil {
			return err
		}
		if err := measure(ctx, candidates, script.code, rounds); err != nil {
			return err
		}
		for _, c := range candidates {
			slices.Sort(c.took)
			fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%d\t\n", script.name, c.name, c.took[0].Milliseconds(),
				c.took[len(c.took)/2].Milliseconds(), c.took[len(c.took)-1].Milliseconds())
		}
	}
	return table.Flush()
}

// image is what the plain runs need to know.
type image struct {
	Digest digest.Digest `json:"digest"`
	Rootfs string        `json:"rootfs"`
}

func lookUp(ctx context.Context, runner string) (image, error) {
	printed, err := exec.CommandContext(ctx, runner, "image", "rootfs", "python-analysis", "--json").Output()
	if err != nil {
		return image{}, fmt.Errorf("find image (`%s image build` makes it): %w", runner, err)
	}
	var found image
	return found, json.Unmarshal(printed, &found)
}

func prepare(ctx context.Context, work, runner string, image image) ([]*candidate, error) {
	through := func(args ...string) func(string) []string {
		return func(script string) []string {
			file := filepath.Join(work, "script.py")
			if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
				log.Fatal(err)
			}
			return append(append([]string{runner, "run", "--json", "--policy", "study-analysis"}, args...), file)
		}
	}
	tag := "hotcell/python-analysis:" + string(image.Digest.Hex())
	candidates := []*candidate{
		{name: "runner, oci, runc", argv: through("--engine", "oci", "--runtime", "runc")},
		{name: "runner, oci, crun", argv: through("--engine", "oci", "--runtime", "crun")},
		{name: "runner, oci, runsc", argv: through("--engine", "oci", "--runtime", "runsc")},
		{name: "plain runc run", argv: func(script string) []string { return plainRunc(ctx, work, image.Rootfs, script) }},
		{name: "runner, docker", argv: through("--engine", "docker")},
		{name: "plain docker run", argv: func(script string) []string {
			return []string{"docker", "run", "--rm", "--network", "none", "--entrypoint", "/usr/bin/python3", tag, "-c", script}
		}},
	}
	// The docker engine loads the image at its first run; plain docker run needs it.
	docker := slices.IndexFunc(candidates, func(c *candidate) bool { return c.name == "runner, docker" })
	return candidates, once(ctx, candidates[docker], "1")
}

// plainRunc writes the config that `runc spec` would, with our rootfs and script.
func plainRunc(ctx context.Context, work, rootfs, script string) []string {
	printed := filepath.Join(work, "config.json")
	os.Remove(printed)
	if out, err := exec.CommandContext(ctx, "runc", "spec", "--bundle", work).CombinedOutput(); err != nil {
		log.Fatalf("runc spec: %s", out)
	}
	data, err := os.ReadFile(printed)
	if err != nil {
		log.Fatal(err)
	}
	var spec specs.Spec
	if err := json.Unmarshal(data, &spec); err != nil {
		log.Fatal(err)
	}
	spec.Root.Path, spec.Root.Readonly = rootfs, true
	spec.Process.Terminal, spec.Process.Args = false, []string{"/usr/bin/python3", "-c", script}
	if data, err = json.Marshal(spec); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(printed, data, 0o600); err != nil {
		log.Fatal(err)
	}
	return []string{"runc", "run", "--bundle", work, fmt.Sprintf("hotcell-bench-%d", time.Now().UnixNano())}
}

func measure(ctx context.Context, candidates []*candidate, script string, rounds int) error {
	for round := range rounds + 1 {
		for _, c := range candidates {
			begin := time.Now()
			if err := once(ctx, c, script); err != nil {
				return err
			}
			if round > 0 {
				c.took = append(c.took, time.Since(begin))
			}
		}
	}
	return nil
}

func once(ctx context.Context, c *candidate, script string) error {
	argv := c.argv(script)
	var output bytes.Buffer
	command := exec.CommandContext(ctx, argv[0], argv[1:]...)
	command.Stdout, command.Stderr = &output, &output
	if err := command.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", c.name, err, output.String())
	}
	return nil
}
