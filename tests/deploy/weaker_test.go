package deploy_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// goodJob is one as the engine makes it, by a test of its own.
const goodJob = "../../internal/container/kubernetes/testdata/job.json"

// change is one thing of a Job that is otherwise the engine's: a path into it, and what is put
// there. A value of nil takes it away.
type change struct {
	path  string
	value any
}

// weaker are changes of the pod by the rule that has to refuse each.
var weaker = map[string][]change{
	"containers": {
		{"initContainers", []any{object{"name": "first", "image": image}}},
		{"containers.2", object{"name": "third", "image": image, "resources": resources}},
		{"containers.0.name", "guest"},
	},
	"image": {
		{"containers.1.image", "registry.elsewhere/sandbox@" + sum},
		{"containers.1.image", registry + "/sandbox:latest"},
		{"containers.1.image", registry + "/sandbox:latest@" + sum},
		{"containers.1.image", registry + "/bundle@" + sum},
		{"containers.0.image", registry + "/sandbox@sha256:" + strings.Repeat("0", 64)},
	},
	"command": {
		{"containers.1.command", []any{"/usr/bin/python3"}},
		{"containers.1.command.0", "/usr/bin/perl"},
		{"containers.1.command.1", "-i"},
		{"containers.0.args", []any{"more"}},
		{"containers.0.workingDir", "/output"},
		{"containers.0.command", nil},
	},
	"seccomp": {
		{"containers.1.securityContext.seccompProfile", nil},
		{"containers.1.securityContext.seccompProfile", object{"type": "RuntimeDefault"}},
		{"containers.1.securityContext.seccompProfile", object{"type": "Unconfined"}},
		{"containers.1.securityContext.seccompProfile.localhostProfile", "hotcell/loose.json"},
		{"containers.1.securityContext.seccompProfile.localhostProfile", "other/" + strings.Repeat("0", 64) + ".json"},
	},
	"seccomp-keeper": {
		{"securityContext.seccompProfile", object{"type": "Unconfined"}},
		{"securityContext.seccompProfile", nil},
		{"containers.0.securityContext.seccompProfile", object{"type": "Unconfined"}},
	},
	"capabilities": {
		{"containers.1.securityContext.capabilities", nil},
		{"containers.1.securityContext.capabilities.drop", []any{"NET_RAW"}},
		{"containers.0.securityContext.capabilities.add", []any{"NET_BIND_SERVICE"}},
	},
	"privileges": {
		{"containers.1.securityContext.allowPrivilegeEscalation", nil},
		{"containers.0.securityContext.allowPrivilegeEscalation", true},
	},
	"root-filesystem": {
		{"containers.1.securityContext.readOnlyRootFilesystem", false},
		{"containers.0.securityContext.readOnlyRootFilesystem", nil},
	},
	"user": {
		{"securityContext.runAsNonRoot", nil},
		{"securityContext.runAsUser", 0},
		{"securityContext.runAsGroup", nil},
		{"securityContext.fsGroup", 0},
		{"securityContext.supplementalGroups", []any{0}},
		{"containers.1.securityContext.runAsUser", 0},
		{"containers.1.securityContext.runAsGroup", 0},
		{"containers.0.securityContext.runAsNonRoot", false},
	},
	"confinement": {
		{"securityContext.sysctls", []any{object{"name": "net.ipv4.ping_group_range", "value": "0 1"}}},
		{"securityContext.seLinuxOptions", object{"type": "spc_t"}},
		{"securityContext.appArmorProfile", object{"type": "Unconfined"}},
		{"containers.1.securityContext.appArmorProfile", object{"type": "Unconfined"}},
		{"containers.1.securityContext.seLinuxOptions", object{"type": "spc_t"}},
		{"containers.1.securityContext.procMount", "Unmasked"},
	},
	"namespaces": {
		{"shareProcessNamespace", true},
		{"hostAliases", []any{object{"ip": "10.0.0.1", "hostnames": []any{"elsewhere"}}}},
	},
	"user-namespace": {{"hostUsers", nil}, {"hostUsers", true}},
	"account": {
		{"serviceAccountName", "default"},
		{"automountServiceAccountToken", nil},
		{"automountServiceAccountToken", true},
		{"imagePullSecrets", []any{object{"name": "another"}}},
	},
	"dns": {
		{"dnsPolicy", "ClusterFirst"},
		{"dnsPolicy", "Default"},
		{"dnsConfig.nameservers", []any{"10.0.0.10"}},
		{"dnsConfig.searches", []any{"example.org"}},
		{"enableServiceLinks", nil},
		{"enableServiceLinks", true},
	},
	"volumes": {
		{"volumes.5", object{"name": "more", "hostPath": object{"path": "/"}}},
		{"volumes.5", object{"name": "more", "secret": object{"secretName": "any"}}},
		{"volumes.5", object{"name": "more", "configMap": object{"name": "any"}}},
		{"volumes.5", object{"name": "more", "projected": object{"sources": []any{object{"serviceAccountToken": object{"path": "token"}}}}}},
		{"volumes.5", object{"name": "more", "downwardAPI": object{}}},
		{"volumes.5", object{"name": "more", "persistentVolumeClaim": object{"claimName": "any"}}},
		{"volumes.5", object{"name": "more", "csi": object{"driver": "any"}}},
		{"volumes.5", object{"name": "more", "nfs": object{"server": "any", "path": "/"}}},
		{"volumes.0.emptyDir.medium", nil},
		{"volumes.0.emptyDir.sizeLimit", nil},
		{"volumes.4.image.reference", "registry.elsewhere/bundle@" + sum},
		{"volumes.4.image.reference", registry + "/bundle:latest"},
		{"volumes.4.image.reference", registry + "/sandbox@" + sum},
	},
	"mounts": {
		{"containers.1.volumeMounts.0.mountPath", "/usr"},
		{"containers.0.volumeMounts.0.mountPath", "/root"},
		{"containers.1.volumeMounts.2.readOnly", false}, // /control
		{"containers.1.volumeMounts.3.readOnly", nil},   // /dev/shm
		{"containers.1.volumeMounts.5.readOnly", nil},   // /bundle
		{"containers.0.volumeMounts.2.readOnly", nil},   // /dev/shm
		{"containers.1.volumeMounts.0.mountPropagation", "HostToContainer"},
		{"containers.1.volumeMounts.0.subPath", "part"},
	},
	"extras": {
		{"containers.1.env", []any{object{"name": "SECRET", "value": "any"}}},
		{"containers.1.envFrom", []any{object{"secretRef": object{"name": "any"}}}},
		{"containers.1.ports", []any{object{"containerPort": 80}}},
		{"containers.1.livenessProbe", object{"exec": probed}},
		{"containers.1.readinessProbe", object{"exec": probed}},
		{"containers.0.startupProbe", object{"exec": probed}},
		{"containers.1.lifecycle", object{"preStop": object{"exec": probed}}},
	},
	"streams": {{"containers.1.stdin", true}, {"containers.1.tty", true}, {"containers.0.stdinOnce", true}},
	"termination": {
		{"containers.1.terminationMessagePath", nil},
		{"containers.0.terminationMessagePath", "/output/last"},
		{"containers.1.terminationMessagePolicy", "FallbackToLogsOnError"},
	},
	"resources": {
		{"containers.1.resources", nil},
		{"containers.1.resources.limits.cpu", nil},
		{"containers.0.resources.limits.ephemeral-storage", nil},
		{"containers.1.resources.requests.memory", "1Mi"},
		{"containers.1.resources", object{
			"limits":   object{"cpu": "1", "memory": "64Mi", "ephemeral-storage": "1Gi"},
			"requests": object{"memory": "64Mi", "ephemeral-storage": "1Gi"},
		}},
	},
	"devices": {
		{"containers.1.resources.limits.example\\.org/gpu", "1"},
		{"resourceClaims", []any{object{"name": "gpu", "resourceClaimName": "any"}}},
	},
	"once":      {{"activeDeadlineSeconds", nil}, {"activeDeadlineSeconds", 604801}, {"restartPolicy", "Always"}},
	"runtime":   {{"runtimeClassName", "hotcell-test-loose"}},
	"scheduler": {{"nodeName", "node1"}},
}

// weakerJobs are changes of the Job.
var weakerJobs = map[string][]change{
	"job-once": {
		{"spec.backoffLimit", 1},
		{"spec.backoffLimit", nil},
		{"spec.parallelism", 2},
		{"spec.completions", 2},
		{"spec.podFailurePolicy", nil},
		{"spec.podFailurePolicy.rules.0.action", "Ignore"},
	},
	"job-ttl": {{"spec.ttlSecondsAfterFinished", nil}, {"spec.ttlSecondsAfterFinished", 3601}},
	"job-labels": {
		{"metadata.labels.hotcell\\.dev/sandbox", "another"},
		{"metadata.labels.hotcell\\.dev/runner", nil},
		{"spec.template.metadata.labels.hotcell\\.dev/sandbox", strings.Repeat("2", 32)},
		{"spec.template.metadata.labels.hotcell\\.dev/runner", nil},
		{"metadata.name", "other"},
	},
}

type object = map[string]any

const (
	registry = "registry.test"
	sum      = "sha256:6105d6cc76af400325e94d588ce511be5bfdbb73b437dc51eca43917d7a43e3d"
	image    = registry + "/sandbox@" + sum
)

var (
	resources = object{"limits": object{"cpu": "1", "memory": "64Mi"}}
	probed    = object{"command": []any{"/usr/bin/python3"}}
)

// readJob returns the engine's Job.
func readJob(t *testing.T) object {
	t.Helper()
	data, err := os.ReadFile(goodJob)
	require.NoError(t, err)
	// What is reviewed there has short sums.
	whole := strings.NewReplacer("sandbox@sha256:0", "sandbox@"+sum, "bundle@sha256:1", "bundle@"+sum, "hotcell/2.json", "hotcell/"+strings.Repeat("2", 64)+".json")
	var made object
	require.NoError(t, json.Unmarshal([]byte(whole.Replace(string(data))), &made))
	made["apiVersion"], made["kind"] = "batch/v1", "Job"
	delete(made, "status")
	delete(made["metadata"].(object), "ownerReferences")
	return made
}

// readPod returns the pod that is made from it, under a name.
func readPod(t *testing.T, name string) object {
	t.Helper()
	template := readJob(t)["spec"].(object)["template"].(object)
	template["apiVersion"], template["kind"] = "v1", "Pod"
	template["metadata"].(object)["name"] = name
	return template
}

// apply makes a change below an object. A point of a name is written \. and an index that is
// one past the end appends.
func (c change) apply(t *testing.T, to any) any {
	t.Helper()
	step, rest, more := strings.Cut(strings.ReplaceAll(c.path, `\.`, "\x00"), ".")
	step = strings.ReplaceAll(step, "\x00", ".")
	next := change{strings.ReplaceAll(rest, "\x00", `\.`), c.value}
	switch at := to.(type) {
	case object:
		switch {
		case more:
			require.Contains(t, at, step)
			at[step] = next.apply(t, at[step])
		case c.value == nil:
			require.Contains(t, at, step)
			delete(at, step)
		default:
			require.NotEqual(t, at[step], c.value)
			at[step] = c.value
		}
		return at
	case []any:
		index, err := strconv.Atoi(step)
		require.NoError(t, err)
		if index == len(at) {
			return append(at, c.value)
		}
		if more {
			at[index] = next.apply(t, at[index])
		} else {
			at[index] = c.value
		}
		return at
	}
	require.Failf(t, "no such path", "%s", c.path)
	return nil
}

// cases are the changed objects by name, and the rule that has to refuse each.
func cases(t *testing.T, table map[string][]change, made func(name string) object) (objects map[string]object, rules map[string]string) {
	t.Helper()
	objects, rules = map[string]object{}, map[string]string{}
	for _, rule := range sorted(table) {
		for index, one := range table[rule] {
			name := rule + "-" + strconv.Itoa(index) + "-end"
			objects[name] = one.apply(t, made(name)).(object)
			rules[name] = rule
		}
	}
	return objects, rules
}

// sorted are the keys of a table.
func sorted[V any](table map[string]V) []string { return slices.Sorted(maps.Keys(table)) }
