package service_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/job"
)

// loadTime is how long callers ask; `make bench-service` wants ten minutes.
var loadTime = flag.Duration("service.load", 10*time.Second, "how long 32 callers ask for warm runs")

const (
	loadCallers = 32
	idleStreams = 1000
	// deafStreams are followers that read nothing of what comes.
	deafStreams = 20
)

// TestCallersAndIdleStreamsAtATime has callers ask for one warm run after the other, while a
// thousand followers wait for a run that does not begin and twenty read nothing. None of the
// callers meets an error; the figures are told, and nothing is asserted about times.
func TestCallersAndIdleStreamsAtATime(t *testing.T) {
	s := newScene(t, "--warm", "interpreter")
	ctx, cancel := context.WithCancel(t.Context())
	var streams sync.WaitGroup
	defer func() {
		cancel()
		streams.Wait()
	}()
	sleeper, err := s.asks.CreateRun(ctx, api.CreateRun{Policy: "study-analysis", Code: "import time\nwhile True:\n    print('x' * 1000)\n    time.sleep(0.2)"}, client.CreateOptions{})
	require.NoError(t, err)
	idle := new(atomic.Int64)
	for n := range idleStreams + deafStreams {
		streams.Go(func() { s.follow(ctx, sleeper.RunID, n < deafStreams, idle) })
	}
	require.Eventually(t, func() bool { return idle.Load() == idleStreams+deafStreams }, patience, 10*time.Millisecond, "streams that are open")
	before := s.footprint()
	took := s.load(ctx, *loadTime/2)
	middle := s.footprint()
	took = append(took, s.load(ctx, *loadTime/2)...)
	slices.Sort(took)
	t.Logf("%d runs by %d callers in %s: p50 %s, p99 %s, longest %s", len(took), loadCallers, *loadTime, took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
	t.Logf("memory in KiB: before %s, in the middle %s, at the end %s", before, middle, s.footprint())
	_ = s.asks.Cancel(ctx, sleeper.RunID) // its time may be over
}

// load has callers ask for a while, and returns how long each run took.
func (s *scene) load(ctx context.Context, during time.Duration) (took []time.Duration) {
	s.t.Helper()
	var mu sync.Mutex
	var faults error
	var asking sync.WaitGroup
	until := time.Now().Add(during)
	for caller := range loadCallers {
		asking.Go(func() {
			for time.Now().Before(until) {
				began := time.Now()
				run, err := s.asks.CreateRun(ctx, api.CreateRun{Policy: "interpreter", Code: strconv.Itoa(caller)}, client.CreateOptions{Wait: time.Minute})
				if err == nil && run.Status != api.State(job.Succeeded) {
					err = fmt.Errorf("run %s: %s", run.RunID, run.Status)
				}
				mu.Lock()
				took, faults = append(took, time.Since(began)), errors.Join(faults, err)
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	asking.Wait()
	require.NoError(s.t, faults)
	require.NotEmpty(s.t, took)
	return took
}

// follow reads the events of a run, or leaves them where they are, until ctx ends.
func (s *scene) follow(ctx context.Context, id job.ID, deaf bool, open *atomic.Int64) {
	dialer := net.Dialer{}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, "unix", s.path("listen/http.sock"))
	}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://hotcell/v1/runs/"+id.String()+"/events", nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	response, err := opened(&http.Client{Transport: transport}, request)
	if err != nil {
		if ctx.Err() == nil {
			s.t.Error(err)
		}
		return
	}
	defer response.Body.Close()
	open.Add(1)
	if deaf {
		<-ctx.Done()
		return
	}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
	}
}

// opened asks again while so many ask at a time that there is no place to answer: a service says
// so, and a principal has half of the places.
func opened(by *http.Client, request *http.Request) (*http.Response, error) {
	for {
		response, err := by.Do(request)
		if err != nil {
			return nil, err
		}
		switch response.StatusCode {
		case http.StatusOK:
			return response, nil
		case http.StatusServiceUnavailable:
			if err := response.Body.Close(); err != nil {
				return nil, err
			}
			time.Sleep(50 * time.Millisecond)
		default:
			return nil, errors.Join(fmt.Errorf("a stream was answered %d", response.StatusCode), response.Body.Close())
		}
	}
}

// footprint is what both processes hold.
func (s *scene) footprint() string {
	return fmt.Sprintf("front %d, engine %d", s.front.memory(), s.engine.memory())
}

// memory is VmRSS in KiB.
func (p *process) memory() int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	require.NoError(p.t, err)
	for line := range strings.Lines(string(text)) {
		if value, found := strings.CutPrefix(line, "VmRSS:"); found {
			number, err := strconv.Atoi(strings.Fields(value)[0])
			require.NoError(p.t, err)
			return number
		}
	}
	return -1
}
