package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"hotcell/internal/container"
	"hotcell/internal/durable"
)

// Sweep implements container.Engine. A runner on this host that has died is known by its
// locks, at once; one elsewhere by its lease, when that has run out.
func (e *Engine) Sweep(ctx context.Context) (int, error) {
	leave, err := e.opening.Enter()
	if err != nil {
		return 0, fmt.Errorf("sweep kubernetes: %w", err)
	}
	defer leave()
	removed, err := e.opening.DestroyLeft(ctx)
	until := time.Now().Add(e.sweepPatience)
	here, err2 := e.sweepHere(ctx, until)
	elsewhere, err3 := e.sweepElsewhere(ctx, until)
	removed += here + elsewhere
	if err := errors.Join(err, err2, err3); err != nil {
		return removed, fmt.Errorf("sweep kubernetes: %w", err)
	}
	return removed, nil
}

// sweepHere removes the sandboxes of processes of this host that are dead.
func (e *Engine) sweepHere(ctx context.Context, until time.Time) (int, error) {
	state, err := os.OpenRoot(e.stateDir)
	if err != nil {
		return 0, fmt.Errorf("open state directory: %w", err)
	}
	defer state.Close()
	return durable.Sweep(state, "", func(parent *os.Root, name string) error {
		if id, err := container.ParseID(name); err == nil {
			if err := e.removeLeft(ctx, owned{id: id}, until); err != nil {
				return err
			}
		}
		return durable.Remove(parent, name)
	})
}

// sweepElsewhere removes the Jobs of runners without a lease. Jobs are listed before leases:
// each Job's lease is older than the Job.
func (e *Engine) sweepElsewhere(ctx context.Context, until time.Time) (int, error) {
	jobs, err := e.api.batch.Jobs(e.settings.Namespace).List(ctx, metav1.ListOptions{LabelSelector: labelSandbox})
	if err != nil {
		return 0, called("list Jobs", err)
	}
	alive, err := e.living(ctx)
	if err != nil {
		return 0, err
	}
	removed := 0
	var faults []error
	for _, found := range jobs.Items {
		id, err := container.ParseID(found.Labels[labelSandbox])
		if err != nil || alive[found.Labels[labelRunner]] || found.Name != jobName(id) {
			continue
		}
		if err := e.removeLeft(ctx, owned{id: id, job: found.UID}, until); err != nil {
			faults = append(faults, err)
			continue
		}
		removed++
	}
	return removed, errors.Join(faults...)
}

// sweepPatience is how long a sweep waits for nodes to say that pods have ended, for all of these
// together: a node that is lost says it of none. leastPatience is what each has at least.
const (
	sweepPatience = 30 * time.Second
	leastPatience = 5 * time.Second
)

// removeLeft is removeJob for what a sweep has found, which others wait for.
func (e *Engine) removeLeft(ctx context.Context, of owned, until time.Time) error {
	if least := time.Now().Add(leastPatience); until.Before(least) {
		until = least
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	return e.removeJob(ctx, of)
}

// removeJob removes a sandbox's Job and its pod, and nobody else's of that name, and returns when
// the cluster has them no more: then its node has killed what lived. The Job's UID is looked up
// where its owner does not know it; what a Job that is gone had is the cluster's to remove.
func (e *Engine) removeJob(ctx context.Context, of owned) error {
	jobs := e.api.batch.Jobs(e.settings.Namespace)
	if of.job == "" {
		found, err := jobs.Get(ctx, jobName(of.id), metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return called("look for the Job of sandbox "+of.id.String(), err)
		}
		of.job = found.UID
	}
	err := jobs.Delete(ctx, jobName(of.id), metav1.DeleteOptions{
		PropagationPolicy: new(metav1.DeletePropagationBackground), Preconditions: &metav1.Preconditions{UID: &of.job},
	})
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) { // or another of that name
		return called("remove the Job of sandbox "+of.id.String(), err)
	}
	asked, node := types.UID(""), ""
	err = e.follow(ctx, of, func(ctx context.Context, pod *corev1.Pod) (bool, error) {
		if pod == nil {
			return true, nil
		}
		node = pod.Spec.NodeName
		if pod.DeletionTimestamp != nil || asked == pod.UID {
			return false, nil
		}
		asked = pod.UID
		err := e.api.core.Pods(e.settings.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &asked}})
		if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
			return false, called("remove the pod of sandbox "+of.id.String(), err)
		}
		return false, nil
	})
	if err != nil && ctx.Err() != nil && node != "" {
		return fmt.Errorf("the Job of sandbox %s is removed, and node %s does not say that its pod has ended (is the node lost?): %w", of.id, node, err)
	}
	return err
}
