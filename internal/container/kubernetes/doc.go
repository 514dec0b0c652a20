// Package kubernetes is the engine that makes each sandbox in a pod of a cluster.
//
// It decides how a container.Spec is expressed as a Job with one pod (job), what is read back
// from the pod that runs, and what of that counts as which control (report.controls). It does not
// decide what a run may do or what became of it. Only cmd/runner uses it, through New.
//
// # A pod
//
// It has two containers of one image. In sandbox a first process of ours waits (init.py); what
// a run executes is started beside it by exec, so that nothing that it writes gets into a
// node's logs. Its end is the end of all of them. keeper has the output file system, too, and
// outlives sandbox: only when the cluster says that sandbox has terminated does it read what is
// there, and send it over in frames that end in their sum (keeper.py). It is treated as
// hostile all the same.
//
// A runner speaks to the keeper over one connection, from before the run to its end. Where that
// breaks, because the runner died or nobody can reach it, the keeper ends, with it a pipe, and
// with that the first process of the sandbox: what exec started would outlive its client.
//
// Pods can be made in advance (container.Warmer): their guard is started, told to prepare, and
// goes on with the same streams when there is a run. The clocks start with the run.
//
// # What is not as elsewhere
//
// The kernel's figures are told by the first process, which nothing else in the sandbox can
// read or signal to any effect; where it was killed itself, the kubelet's word is all there is.
// A process's limits cannot be asked of Kubernetes: enter.py sets them, which is why the profile
// on the nodes allows a process to lower its own (NodeProfile). The number of processes is
// held by RLIMIT_NPROC, which counts in the pod's own user namespace, and refusals are
// not counted. The output's inodes are bounded by memory.max alone. No mount can be asked to be
// nosuid, nodev or noexec. An exit code above 128 is taken for a signal.
package kubernetes
