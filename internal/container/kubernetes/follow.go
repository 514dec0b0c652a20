package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"hotcell/internal/container"
)

const (
	// lookAgain is how often a pod is looked at without news of it: what goes wrong around it
	// is told by events, and not by the pod.
	lookAgain = time.Second
	// askAgain is the pause after an API server that did not answer.
	askAgain = 250 * time.Millisecond
	// callTimeout bounds one call of the API that changes or reads one thing.
	callTimeout = 30 * time.Second
)

// owned says whose a pod must be. Anybody who may make pods may give one a sandbox's label.
type owned struct {
	id  container.ID
	job types.UID // of the Job that was made
	pod types.UID // of its pod, once that has been compared; "" before
}

// has tells of one pod.
func (o owned) has(pod *corev1.Pod) bool {
	controller := metav1.GetControllerOf(pod)
	return controller != nil && controller.UID == o.job && (o.pod == "" || pod.UID == o.pod)
}

// look is told of a sandbox's pod, nil where there is none, and says whether that is what was
// waited for.
type look func(ctx context.Context, pod *corev1.Pod) (done bool, err error)

// follow has look told of a sandbox's pod until it is content, fails, or ctx ends. It goes on
// while nobody answers: an API server is restarted, and what runs goes on without it.
func (e *Engine) follow(ctx context.Context, of owned, look look) error {
	for {
		done, err := e.followOnce(ctx, of, look)
		if done || err != nil && !isOutage(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(context.Cause(ctx), err)
		case <-time.After(askAgain):
		}
	}
}

// isOutage tells of a call that the API has not decided.
func isOutage(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return isUnanswered(err)
	}
	return apierrors.IsServerTimeout(err) || apierrors.IsTooManyRequests(err) || apierrors.IsServiceUnavailable(err) ||
		apierrors.IsTimeout(err) || apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.IsInternalError(err) // etcd chooses a leader, or what stands before the API server says 502
}

// unansweredError is of a call that got no answer.
type unansweredError struct{ err error }

// Error implements error.
func (e unansweredError) Error() string {
	return "the cluster's API server does not answer: " + e.err.Error()
}

// Unwrap returns the cause.
func (e unansweredError) Unwrap() error { return e.err }

func isUnanswered(err error) bool {
	_, found := errors.AsType[unansweredError](err)
	return found
}

// called words what a call of the API returned.
func called(what string, err error) error {
	if err == nil {
		return nil
	}
	var status apierrors.APIStatus
	switch {
	case !errors.As(err, &status):
		err = unansweredError{err}
	case apierrors.IsForbidden(err):
		err = fmt.Errorf("%w: deploy/ has the rights that this account needs", err)
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (e *Engine) pods(id container.ID) metav1.ListOptions {
	return metav1.ListOptions{LabelSelector: labelSandbox + "=" + id.String()}
}

func (e *Engine) followOnce(ctx context.Context, of owned, look look) (bool, error) {
	options := e.pods(of.id)
	found, err := e.api.core.Pods(e.settings.Namespace).List(ctx, options)
	if err != nil {
		return false, called("list pods", err)
	}
	var pod *corev1.Pod
	for index := range found.Items {
		if of.has(&found.Items[index]) {
			pod = &found.Items[index]
		}
	}
	if done, err := look(ctx, pod); done || err != nil {
		return done, err
	}
	options.ResourceVersion = found.ResourceVersion
	news, err := e.api.core.Pods(e.settings.Namespace).Watch(ctx, options)
	if err != nil {
		return false, called("watch pods", err)
	}
	defer news.Stop()
	return of.listen(ctx, news, pod, look)
}

// listen returns without an error when the watch has ended: they all do, after a time.
func (o owned) listen(ctx context.Context, news watch.Interface, pod *corev1.Pod, look look) (bool, error) {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return false, context.Cause(ctx)
		case <-again.C:
		case event, open := <-news.ResultChan():
			if !open || event.Type == watch.Error {
				return false, nil
			}
			changed, known := event.Object.(*corev1.Pod)
			if !known {
				return false, nil
			}
			if !o.has(changed) {
				continue
			}
			if pod = changed; event.Type == watch.Deleted {
				pod = nil
			}
		}
		if done, err := look(ctx, pod); done || err != nil {
			return done, err
		}
	}
}
