package main

import (
	"context"
	"errors"
	"flag"
	"io"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// options are the command line's.
type options struct {
	runner  string
	rounds  int           // of what is ready before it is asked for
	cold    int           // of these, those in which what has to be made takes its turn, too
	within  time.Duration // after which no further round of what takes turns begins
	sustain time.Duration // of the throughput
	size    int           // of the table, in MB
	scale   bool
	loading bool
	each    time.Duration // that a number of callers goes on
	docs    string        // where README.md and docs/ are, or "" to write neither
}

func main() {
	log.SetFlags(0)
	var o options
	flag.StringVar(&o.runner, "runner", "bin/runner", "the runner to measure")
	flag.IntVar(&o.rounds, "rounds", 200, "measurements of each warm way, after one that does not count")
	flag.IntVar(&o.cold, "cold", 8, "measurements of each cold way, at most as many as rounds")
	flag.DurationVar(&o.within, "within", 22*time.Minute, "how long rounds go on: where the time is over, there are fewer measurements")
	flag.DurationVar(&o.sustain, "sustain", time.Minute, "how long the throughput is measured")
	flag.IntVar(&o.size, "size", 100, "`MB` of the table of the comparison, and of the callers")
	flag.BoolVar(&o.scale, "scale", false, "measure callers, modes, sizes of bundles and numbers of files instead")
	flag.BoolVar(&o.loading, "loading", false, "measure what tables of bundles cost to be there instead")
	flag.DurationVar(&o.each, "each", 10*time.Second, "with -scale: how long each number of callers goes on")
	flag.StringVar(&o.docs, "docs", "", "the checkout whose README.md and docs/performance.md get the tables, and docs/performance/ the plots")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o); err != nil {
		stop()
		log.Fatal("bench: ", err) //nolint:gocritic // what is deferred has been done
	}
}

func run(ctx context.Context, o options) (err error) {
	if o.rounds < 1 || o.cold < 1 || o.cold > o.rounds || o.size < 1 {
		return errors.New("give at least one round, no more cold ones than rounds, and a table of 1 MB or more")
	}
	lab, err := newLab(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lab.close()) }()
	measure := lab.compare
	if o.scale {
		measure = lab.scale
	}
	if o.loading {
		measure = lab.loading
	}
	page, err := measure(ctx)
	return publish(os.Stdout, page, err, o.docs)
}

// publish prints what was measured, also before something failed: it took minutes. The
// documents in docs, where that is not "", get all of it or nothing.
func publish(to io.Writer, found page, failed error, docs string) error {
	_, err := io.WriteString(to, found.text())
	if err := errors.Join(failed, err); err != nil || docs == "" {
		return err
	}
	return found.document(docs)
}
