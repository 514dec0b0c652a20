package kubernetes

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"hotcell/internal/container"
	"hotcell/internal/container/containertest"
)

// BenchmarkCold times a sandbox that does nothing, from the request to its output, beside a
// plain pod of the same image that does the same, one after the other: ms are medians and
// 99th percentiles over b.N of each. A goal: 1.2 times the plain pod.
//
//	scripts/with-cluster.sh go test ./internal/container/kubernetes -run - -bench Cold -benchtime 30x
func BenchmarkCold(b *testing.B) {
	h := newHarness(b)
	engine := h.newEngine(b, b.TempDir())
	var plain, created, ran, read, destroyed []time.Duration
	for b.Loop() {
		plain = append(plain, h.plainPod(b, engine))
		began := time.Now()
		spec := h.spec()
		spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.ExitWith})
		made, err := engine.Create(b.Context(), container.NewID(), spec)
		require.NoError(b, err)
		created = append(created, time.Since(began))
		_, err = made.Run(b.Context(), container.Streams{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
		require.NoError(b, err)
		ran = append(ran, time.Since(began))
		root, err := made.Output(b.Context())
		require.NoError(b, err)
		require.NoError(b, root.Close())
		read = append(read, time.Since(began))
		require.NoError(b, made.Destroy(b.Context()))
		destroyed = append(destroyed, time.Since(began))
	}
	reportTimes(b, map[string][]time.Duration{
		"plain": plain, "to-created": created, "to-ran": ran, "to-read": read, "to-destroyed": destroyed,
	})
}

// BenchmarkParallel makes so many sandboxes at once, and runs, reads and removes them, beside as many
// plain pods at once, one after the other, until more are asked for than the node has room for: ms from
// the request to the output, or to the pod's end, and runs per second until all were removed. waited
// is how many were told that they wait for a node.
//
//	scripts/with-cluster.sh go test ./internal/container/kubernetes -run - -bench Parallel -benchtime 2x
func BenchmarkParallel(b *testing.B) {
	h := newHarness(b)
	engine := h.newEngine(b, b.TempDir())
	for count := 1; count <= 32; count *= 2 { // a node with two processors has room for 16
		b.Run(strconv.Itoa(count), func(b *testing.B) {
			var plain, read []time.Duration
			var plainTook, took time.Duration
			var waited atomic.Int64
			for b.Loop() {
				times, all := atOnce(b, count, func() (time.Duration, error) { return h.plainPod(b, engine), nil })
				plain, plainTook = append(plain, times...), plainTook+all
				times, all = atOnce(b, count, func() (time.Duration, error) { return h.wholeRun(b.Context(), engine, &waited) })
				read, took = append(read, times...), took+all
			}
			reportTimes(b, map[string][]time.Duration{"plain": plain, "to-read": read})
			b.ReportMetric(float64(len(plain))/plainTook.Seconds(), "plain/s")
			b.ReportMetric(float64(len(read))/took.Seconds(), "runs/s")
			b.ReportMetric(float64(waited.Load())/float64(b.N), "waited")
		})
	}
}

// atOnce does the same so many times at once, and returns how long each took, and all of them.
func atOnce(b *testing.B, count int, work func() (time.Duration, error)) ([]time.Duration, time.Duration) {
	b.Helper()
	times, faults := make([]time.Duration, count), make([]error, count)
	began := time.Now()
	var all sync.WaitGroup
	for index := range count {
		all.Go(func() { times[index], faults[index] = work() })
	}
	all.Wait()
	took := time.Since(began)
	require.NoError(b, errors.Join(faults...))
	return times, took
}

// wholeRun is a sandbox that does nothing, from the request until it is removed. It returns when its
// output was there.
func (h harness) wholeRun(ctx context.Context, engine *Engine, waited *atomic.Int64) (took time.Duration, err error) {
	began := time.Now()
	spec := h.spec()
	spec.Command = containertest.PythonCommand(containertest.Behaviour{Name: containertest.ExitWith})
	made, err := engine.Create(container.WhileQueued(ctx, func(queue string) {
		if queue != "" {
			waited.Add(1)
		}
	}), container.NewID(), spec)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, made.Destroy(context.WithoutCancel(ctx))) }()
	if _, err = made.Run(ctx, container.Streams{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}); err != nil {
		return 0, err
	}
	root, err := made.Output(ctx)
	if err != nil {
		return 0, err
	}
	return time.Since(began), root.Close()
}

// BenchmarkReady times a sandbox whose guard has prepared, from the request to what its command
// first says, to its end as the cluster tells it, and to its output. A goal: 150 ms until it
// works for the request.
func BenchmarkReady(b *testing.B) {
	h := newHarness(b)
	engine := h.newEngine(b, b.TempDir())
	spec := h.spec()
	spec.Command = containertest.PreparedCommand(containertest.PythonCommand(containertest.Behaviour{Name: containertest.Echo}))
	from, err := engine.Prepare(b.Context(), container.NewID(), spec, containertest.Preparation())
	require.NoError(b, err)
	defer func() { require.NoError(b, from.Destroy(b.Context())) }()
	var answered, ran, read []time.Duration
	for b.Loop() {
		made, err := from.Create(b.Context(), container.NewID())
		require.NoError(b, err)
		began := time.Now()
		first := &firstByte{}
		_, err = made.Run(b.Context(), container.Streams{Stdin: strings.NewReader("Gx"), Stdout: first, Stderr: &bytes.Buffer{}})
		require.NoError(b, err)
		answered = append(answered, first.at.Sub(began))
		ran = append(ran, time.Since(began))
		root, err := made.Output(b.Context())
		require.NoError(b, err)
		require.NoError(b, root.Close())
		read = append(read, time.Since(began))
		require.NoError(b, made.Destroy(b.Context()))
	}
	reportTimes(b, map[string][]time.Duration{"to-answer": answered, "to-ran": ran, "to-read": read})
}

// firstByte is when the first came.
type firstByte struct{ at time.Time }

// Write implements io.Writer.
func (f *firstByte) Write(content []byte) (int, error) {
	if f.at.IsZero() {
		f.at = time.Now()
	}
	return len(content), nil
}

// reportTimes gives medians and 99th percentiles.
func reportTimes(b *testing.B, all map[string][]time.Duration) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	for name, times := range all {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Milliseconds()), name+"-p50-ms")
		b.ReportMetric(float64(times[len(times)*99/100].Milliseconds()), name+"-p99-ms")
	}
}

// plainPod is what a user would make without the runner: a pod of the image that ends, and the
// cluster says so.
func (h harness) plainPod(b *testing.B, engine *Engine) time.Duration {
	b.Helper()
	made := newJob(h.spec(), placement{id: container.NewID(), image: testRegistry + "/sandbox@" + h.artifacts.image.String(), arch: h.artifacts.architecture, userSpace: true})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{GenerateName: "plain-"}, Spec: made.Spec.Template.Spec}
	pod.Spec.Containers = pod.Spec.Containers[:1]
	pod.Spec.Containers[0].Command = []string{"/usr/bin/python3", "-c", "pass"}
	began := time.Now()
	pods := engine.api.core.Pods(h.namespace)
	pod, err := pods.Create(b.Context(), pod, metav1.CreateOptions{})
	require.NoError(b, err)
	news, err := pods.Watch(b.Context(), metav1.ListOptions{FieldSelector: "metadata.name=" + pod.Name})
	require.NoError(b, err)
	defer news.Stop()
	for event := range news.ResultChan() {
		if found, is := event.Object.(*corev1.Pod); is && found.Status.Phase == corev1.PodSucceeded {
			break
		}
	}
	took := time.Since(began)
	require.NoError(b, pods.Delete(context.WithoutCancel(b.Context()), pod.Name, metav1.DeleteOptions{}))
	return took
}
