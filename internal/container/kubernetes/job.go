package kubernetes

import (
	"maps"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"hotcell/internal/container"
	"hotcell/internal/job"
)

// The labels of what is ours.
const (
	labelSandbox = "hotcell.dev/sandbox" // on Jobs and pods: the sandbox's ID
	labelRunner  = "hotcell.dev/runner"  // on those and on leases: whose they are
	labelQueue   = "kueue.x-k8s.io/queue-name"
)

// The containers of a pod, and what they share.
const (
	sandboxContainer = "sandbox"
	keeperContainer  = "keeper"
	controlDir       = "/control"
	sharedMemoryDir  = "/dev/shm"
	// terminationFile is where the kubelet reads a container's last words, which it puts into
	// the pod's status, and so into etcd: a directory that only root enters keeps a script
	// from having any.
	terminationFile = "/root/termination"
	// serviceAccount has no rights, and its token is not mounted.
	serviceAccount = "hotcell-sandbox"
	namePrefix     = "hotcell-"
)

// What a pod has beside its sandbox, in bytes and thousandths of a processor, and how long it lasts.
const (
	KeeperMemory = 64 << 20 // an interpreter takes 10 MiB
	KeeperCPU    = 200      // thousandths
	controlBytes = 64 << 10
	// ephemeralBytes is what a container may leave on a node's disk: logs, which it has none of.
	ephemeralBytes = 16 << 20
	// requestShare is the part of its limit of processors that a sandbox asks the scheduler
	// for: it starts, waits and reads for most of its time.
	requestShare = 10
	// standbyAge is how long a pod waits for its run at most, from when it was first seen.
	standbyAge = time.Hour
	// lifeSlack is what a pod lives longer than its run may take: to be made, prepared, read.
	lifeSlack = 10*time.Minute + container.PrepareTime
	// jobTTL is after what time the cluster removes a Job that has ended, where nobody did.
	jobTTL = 600 // seconds
)

// placement is what of a pod is not its Spec's.
type placement struct {
	id        container.ID
	owner     metav1.OwnerReference
	runner    string // labelRunner's value
	settings  Settings
	image     string        // reference
	arch      string        // of the image
	bundle    string        // reference, or "" for none
	profile   string        // name of the seccomp profile on the nodes
	userSpace bool          // the pod has a user namespace of its own
	waits     time.Duration // for its run, at most
}

func jobName(id container.ID) string { return namePrefix + id.String() }

// newJob is the one place that decides what a sandbox's pod may see and do.
func newJob(spec container.Spec, at placement) *batchv1.Job {
	labels := map[string]string{labelSandbox: at.id.String(), labelRunner: at.runner}
	jobLabels := maps.Clone(labels)
	if at.settings.Queue != "" {
		jobLabels[labelQueue] = at.settings.Queue
	}
	return &batchv1.Job{
		ObjectMeta: metav1.ObjectMeta{Name: jobName(at.id), Labels: jobLabels, OwnerReferences: []metav1.OwnerReference{at.owner}},
		Spec: batchv1.JobSpec{
			// Where a queue is named, nothing but its owner begins it: not even where nobody looks
			// after the queue.
			Suspend:                 new(at.settings.Queue != ""),
			BackoffLimit:            new(int32(0)),
			TTLSecondsAfterFinished: new(int32(jobTTL)),
			PodReplacementPolicy:    new(batchv1.Failed),
			// Code that has begun is never begun again: not when its node is drained either.
			PodFailurePolicy: &batchv1.PodFailurePolicy{Rules: []batchv1.PodFailurePolicyRule{{
				Action: batchv1.PodFailurePolicyActionFailJob,
				OnPodConditions: []batchv1.PodFailurePolicyOnPodConditionsPattern{
					{Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue},
				},
			}}},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: podSpec(spec, at)},
		},
	}
}

func podSpec(spec container.Spec, at placement) corev1.PodSpec {
	limits := spec.Enforced()
	pod := corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyNever,
		// The pod's, not the Job's: that one would delete the pod and what it tells.
		ActiveDeadlineSeconds:         new(int64((limits.WallClock + lifeSlack + at.waits).Seconds())),
		TerminationGracePeriodSeconds: new(int64(1)),
		HostUsers:                     new(!at.userSpace),
		Hostname:                      container.Hostname,
		ServiceAccountName:            serviceAccount,
		AutomountServiceAccountToken:  new(false),
		EnableServiceLinks:            new(false),
		DNSPolicy:                     corev1.DNSNone,
		DNSConfig:                     &corev1.PodDNSConfig{Nameservers: []string{"127.0.0.1"}},
		NodeSelector:                  nodeSelector(at),
		PriorityClassName:             at.settings.PriorityClass,
		SecurityContext: &corev1.PodSecurityContext{
			RunAsNonRoot: new(true), RunAsUser: new(int64(container.UserID)), RunAsGroup: new(int64(container.UserID)),
			FSGroup:        new(int64(container.UserID)),
			SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
		},
		Containers: []corev1.Container{keeper(at), sandboxOf(limits, at)},
		Volumes:    volumes(limits, at),
	}
	if spec.Runtime != "" {
		pod.RuntimeClassName = &spec.Runtime
	}
	pod.Tolerations = tolerations(at.settings)
	return pod
}

func tolerations(settings Settings) []corev1.Toleration {
	var all []corev1.Toleration
	for _, one := range settings.Tolerations {
		all = append(all, corev1.Toleration{
			Key: one.Key, Operator: corev1.TolerationOperator(one.Operator), Value: one.Value, Effect: corev1.TaintEffect(one.Effect),
		})
	}
	return all
}

func nodeSelector(at placement) map[string]string {
	selector := map[string]string{corev1.LabelOSStable: "linux", corev1.LabelArchStable: at.arch}
	maps.Copy(selector, at.settings.NodeSelector)
	return selector
}

// confined is what both containers have.
func confined(name, image string, command []string) corev1.Container {
	return corev1.Container{
		Name: name, Image: image, ImagePullPolicy: corev1.PullIfNotPresent, Command: command,
		TerminationMessagePath: terminationFile, TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: new(false),
			ReadOnlyRootFilesystem:   new(true),
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
	}
}

// keeper may write where the sandbox does, to make readable what its owner must not read.
func keeper(at placement) corev1.Container {
	made := confined(keeperContainer, at.image, python(waitProgram))
	made.Resources = resources(KeeperMemory, KeeperCPU)
	made.VolumeMounts = []corev1.VolumeMount{
		{Name: "output", MountPath: container.OutputDir},
		{Name: "control", MountPath: controlDir},
		{Name: "none", MountPath: sharedMemoryDir, ReadOnly: true},
	}
	return made
}

func sandboxOf(limits job.Limits, at placement) corev1.Container {
	made := confined(sandboxContainer, at.image, python(initProgram, terminationFile))
	made.SecurityContext.SeccompProfile = &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeLocalhost, LocalhostProfile: &at.profile}
	made.Resources = resources(limits.MemoryBytes, limits.CPUMillis)
	made.VolumeMounts = []corev1.VolumeMount{
		{Name: "output", MountPath: container.OutputDir},
		{Name: "scratch", MountPath: container.ScratchDir},
		{Name: "control", MountPath: controlDir, ReadOnly: true},
		// Every container of a pod shares the pod's: a channel between them, and another place
		// that can be written.
		{Name: "none", MountPath: sharedMemoryDir, ReadOnly: true},
		{Name: "none", MountPath: "/dev/pts", ReadOnly: true}, // no terminal can be made
	}
	if at.bundle != "" {
		made.VolumeMounts = append(made.VolumeMounts, corev1.VolumeMount{Name: "bundle", MountPath: container.BundleDir, ReadOnly: true})
	}
	return made
}

// resources are limits that are asked for in whole, but for processors.
func resources(memory, cpuMillis int64) corev1.ResourceRequirements {
	limits := corev1.ResourceList{
		corev1.ResourceMemory:           *resource.NewQuantity(memory, resource.BinarySI),
		corev1.ResourceCPU:              *resource.NewMilliQuantity(cpuMillis, resource.DecimalSI),
		corev1.ResourceEphemeralStorage: *resource.NewQuantity(ephemeralBytes, resource.BinarySI),
	}
	requests := limits.DeepCopy()
	requests[corev1.ResourceCPU] = *resource.NewMilliQuantity(max(1, cpuMillis/requestShare), resource.DecimalSI)
	return corev1.ResourceRequirements{Limits: limits, Requests: requests}
}

func volumes(limits job.Limits, at placement) []corev1.Volume {
	made := []corev1.Volume{
		memoryVolume("output", limits.OutputBytes),
		memoryVolume("scratch", limits.ScratchBytes),
		memoryVolume("control", controlBytes),
		memoryVolume("none", controlBytes),
	}
	if at.bundle != "" {
		made = append(made, corev1.Volume{Name: "bundle", VolumeSource: corev1.VolumeSource{
			Image: &corev1.ImageVolumeSource{Reference: at.bundle, PullPolicy: corev1.PullIfNotPresent},
		}})
	}
	return made
}

// memoryVolume is a tmpfs of this size, in whole pages: who filled the last one would have more than
// a size within it, and be evicted. A volume on disk is measured now and then, and its pod
// evicted: nothing bounds it in between.
func memoryVolume(name string, bytes int64) corev1.Volume {
	return corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{
		Medium: corev1.StorageMediumMemory, SizeLimit: resource.NewQuantity(wholePages(bytes), resource.BinarySI),
	}}}
}

func wholePages(bytes int64) int64 {
	const page = 4096
	return (bytes + page - 1) / page * page
}
