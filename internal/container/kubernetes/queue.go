package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"hotcell/internal/container"
)

// kueueVersions are those of Kueue's API that have LocalQueues, the newest that is known first.
// Only whether there is one is asked, so that all are alike.
var kueueVersions = []string{"v1beta2", "v1beta1", "v1"}

// hasQueue requires the queue of the settings. A Job in one that nobody looks at would wait for
// ever.
func (e *Engine) hasQueue(ctx context.Context) error {
	name := e.settings.Queue
	if name == "" {
		return nil
	}
	for _, version := range kueueVersions {
		err := e.api.core.RESTClient().Get().AbsPath("/apis/kueue.x-k8s.io", version, "namespaces", e.settings.Namespace, "localqueues", name).Do(ctx).Error()
		if !apierrors.IsNotFound(err) {
			return called("look for the queue "+name, err)
		}
	}
	return fmt.Errorf("the cluster has no LocalQueue %s in the namespace %s, which the settings name (queue): make it (deploy/kueue has an example, and needs Kueue), or leave queue out",
		name, e.settings.Namespace)
}

// schedulerQueue is what a pod waits in that no node has room for. A LocalQueue is never named so.
const schedulerQueue = "the scheduler: no node has room"

// suspended tells that a Job waits in the queue of the settings, until whoever looks after that
// lets it in.
func (s *starting) suspended(ctx context.Context) error {
	queue := s.engine.settings.Queue
	if queue == "" {
		return errors.New("the cluster has suspended the Job, and the settings name no queue that it would wait in: name one (queue)")
	}
	s.since = time.Now() // for a node it has not waited yet
	s.waitIn(ctx, queue)
	return nil
}

// waitIn tells once that the sandbox waits, and in what.
func (s *starting) waitIn(ctx context.Context, queue string, more ...any) {
	if s.queue == queue {
		return
	}
	s.queue = queue
	s.engine.log.Info("a sandbox waits in the cluster", append(more, "queue", queue, "sandbox", s.of.id.String())...)
	container.TellQueued(ctx, queue)
}

// goOn tells that it waits no more, where it did.
func (s *starting) goOn(ctx context.Context) {
	if s.queue != "" {
		s.queue = ""
		container.TellQueued(ctx, "")
	}
}
