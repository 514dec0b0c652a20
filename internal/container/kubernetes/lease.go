package kubernetes

import (
	"context"
	"errors"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"hotcell/internal/container"
)

const (
	// leaseDuration is how long a runner may be silent until its sandboxes are anybody's to
	// remove; that of a node is 40 s.
	leaseDuration = time.Minute
	leaseRenewal  = 15 * time.Second
)

// holder keeps a lease for as long as its process lives. All sandboxes of this engine are
// owned by it: whoever removes the lease removes them.
type holder struct {
	runner string // labelRunner's value
	owner  metav1.OwnerReference
	stop   context.CancelFunc
	done   chan struct{}
}

func leaseName(runner string) string { return namePrefix + runner }

// hold makes the engine's lease where there is none yet.
func (e *Engine) hold(ctx context.Context) (*holder, error) {
	e.leasing.Lock()
	defer e.leasing.Unlock()
	if e.holder != nil {
		return e.holder, nil
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	runner := container.NewID().String()
	made, err := e.api.leases.Leases(e.settings.Namespace).Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: leaseName(runner), Labels: map[string]string{labelRunner: runner}},
		Spec: coordinationv1.LeaseSpec{
			HolderIdentity: &runner, LeaseDurationSeconds: new(int32(leaseDuration.Seconds())), RenewTime: new(metav1.NowMicro()),
		},
	}, metav1.CreateOptions{})
	if err != nil {
		return nil, called("make the runner's lease", err)
	}
	life, stop := context.WithCancel(context.WithoutCancel(ctx))
	e.holder = &holder{
		runner: runner, stop: stop, done: make(chan struct{}),
		owner: metav1.OwnerReference{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Name: made.Name, UID: made.UID},
	}
	go e.renew(life, e.holder)
	return e.holder, nil
}

// renew goes on whatever the API says: the next time it may answer. A lease that is gone took
// its sandboxes along, and is not made again under its name: the next sandbox makes another.
func (e *Engine) renew(ctx context.Context, held *holder) {
	defer close(held.done)
	ticker := time.NewTicker(leaseRenewal)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		_, err := e.stamp(ctx, held)
		if errors.Is(err, errLeaseGone) {
			return
		}
		if err != nil && ctx.Err() == nil {
			e.log.Warn("the runner's lease could not be renewed", "error", err)
		}
	}
}

// errLeaseGone is told of a lease that somebody has removed: another runner, when this one was
// silent for too long.
var errLeaseGone = errors.New("this runner's lease was removed, and with it its sandboxes")

// stamp renews a lease, and returns the time by the API server's clock.
func (e *Engine) stamp(ctx context.Context, held *holder) (time.Time, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	leases := e.api.leases.Leases(e.settings.Namespace)
	lease, err := leases.Get(ctx, leaseName(held.runner), metav1.GetOptions{})
	if err == nil && lease.UID == held.owner.UID {
		lease.Spec.RenewTime = new(metav1.NowMicro())
		lease, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
	}
	switch {
	case apierrors.IsNotFound(err) || err == nil && lease.UID != held.owner.UID:
		e.forsake(held)
		return time.Time{}, errLeaseGone
	case err != nil:
		return time.Time{}, called("renew the runner's lease", err)
	}
	return renewed(lease), nil
}

// forsake has the next sandbox make another lease.
func (e *Engine) forsake(held *holder) {
	e.log.Warn("this runner's lease was removed, and with it what it had in the cluster: it makes another")
	e.leasing.Lock()
	defer e.leasing.Unlock()
	if e.holder == held {
		e.holder = nil
		held.stop()
	}
}

// renewed is when a lease was last changed, by the API server's clock. What its holder writes
// is by the holder's, and clocks differ.
func renewed(lease *coordinationv1.Lease) time.Time {
	at := lease.CreationTimestamp.Time
	for _, change := range lease.ManagedFields {
		if change.Time != nil && change.Time.After(at) {
			at = change.Time.Time
		}
	}
	return at
}

// release ends the lease, and with it what the cluster still has of this engine's.
func (e *Engine) release() error {
	e.leasing.Lock()
	held := e.holder
	e.holder = nil
	e.leasing.Unlock()
	if held == nil {
		return nil
	}
	held.stop()
	<-held.done
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	_, err := e.dropLease(ctx, leaseName(held.runner), metav1.Preconditions{UID: &held.owner.UID})
	return err
}

// dropLease removes a lease as it was seen: who has renewed it since is alive.
func (e *Engine) dropLease(ctx context.Context, name string, only metav1.Preconditions) (dropped bool, err error) {
	err = e.api.leases.Leases(e.settings.Namespace).Delete(ctx, name, metav1.DeleteOptions{
		PropagationPolicy: new(metav1.DeletePropagationBackground), Preconditions: &only,
	})
	switch {
	case apierrors.IsConflict(err):
		return false, nil
	case err != nil && !apierrors.IsNotFound(err):
		return false, called("remove a runner's lease", err)
	}
	return true, nil
}

// living returns the runners whose lease is in force. Those of others are removed first: what
// they had is anybody's then.
func (e *Engine) living(ctx context.Context) (map[string]bool, error) {
	now, err := e.now(ctx)
	if err != nil {
		return nil, err
	}
	found, err := e.api.leases.Leases(e.settings.Namespace).List(ctx, metav1.ListOptions{LabelSelector: labelRunner})
	if err != nil {
		return nil, called("list the runners' leases", err)
	}
	alive := map[string]bool{}
	for index := range found.Items {
		lease := &found.Items[index]
		runner := lease.Labels[labelRunner]
		if lease.Name != leaseName(runner) || lease.Spec.LeaseDurationSeconds == nil {
			e.log.Warn("a lease is labelled as a runner's, and is none", "lease", lease.Name)
			continue
		}
		dropped := false
		if now.Sub(renewed(lease)) > time.Duration(*lease.Spec.LeaseDurationSeconds)*time.Second {
			dropped, err = e.dropLease(ctx, lease.Name, metav1.Preconditions{UID: &lease.UID, ResourceVersion: &lease.ResourceVersion})
			if err != nil {
				return nil, err
			}
		}
		alive[runner] = !dropped
	}
	return alive, nil
}

// now is the API server's clock, by a lease of ours that is in force from then on.
func (e *Engine) now(ctx context.Context) (time.Time, error) {
	for {
		held, err := e.hold(ctx)
		if err != nil {
			return time.Time{}, err
		}
		at, err := e.stamp(ctx, held)
		if !errors.Is(err, errLeaseGone) {
			return at, err
		}
	}
}
