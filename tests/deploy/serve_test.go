package deploy_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"hotcell/api"
	"hotcell/client"
	"hotcell/internal/image/imagetest"
	"hotcell/internal/job"
	"hotcell/tests/cluster"
)

// TestAServiceInTheCluster has a run made for somebody outside of it, whose output is verified; its
// network's side has neither the account's token nor the engine's state; and a run whose pod is
// deleted is told as interrupted by the next pod, which has all that was recorded.
func TestAServiceInTheCluster(t *testing.T) {
	s := startService(t)
	s.isApart(t)
	bundles, err := s.client.Bundles(t.Context())
	require.NoError(t, err)
	require.Len(t, bundles, 1)
	require.Equal(t, "visits", bundles[0].Name)
	first := s.run(t, "print(sum(range(10)))")
	require.Equal(t, api.State(job.Succeeded), first.Status, "%+v", first.Error)
	require.Equal(t, "45\n", first.Result.Stdout)
	require.Equal(t, "kubernetes", first.Result.Provenance.Engine)
	held := map[string]bool{}
	for _, one := range first.Result.Provenance.Controls {
		held[one.Name] = one.Active
	}
	for _, name := range []string{"seccomp", "no_capabilities", "read_only_root", "user_namespace", "memory.max", "namespaces"} {
		require.True(t, held[name], "%s: %v", name, held)
	}

	kept := s.replaced(t, "print('begun')\nimport time\ntime.sleep(3)\n", "330")
	require.Equal(t, api.State(job.Succeeded), kept.Status, "a pod that ends in order lets a run end: %+v", kept.Error)
	ended := s.replaced(t, "print('begun')\nimport time\ntime.sleep(25)\n", "1")
	require.Equal(t, api.StateError, ended.Status)
	require.Contains(t, ended.Error.Type, "interrupted")
	again, err := s.client.Run(t.Context(), first.RunID)
	require.NoError(t, err)
	require.Equal(t, first.Result.Files, again.Result.Files)
	require.Eventually(t, func() bool {
		said, err := s.kubectl(t, "", "get", "jobs,pods", "--namespace", s.namespace, "--output", "name")
		return err == nil && strings.TrimSpace(said) == ""
	}, cluster.Patience, 500*time.Millisecond, "what the pod has left is swept")
	require.Equal(t, api.State(job.Succeeded), s.run(t, "print(1)").Status)
}

// TestTheServiceTakesItsValues: what the chart makes of values that are not its own is a Deployment that
// the cluster takes.
func TestTheServiceTakesItsValues(t *testing.T) {
	c := cluster.Require(t)
	made := installed{cluster: c, namespace: c.Namespace(t)}
	text, err := helmCommand(t, "template", "hotcell", chart, "--show-only", "templates/serve.yaml", "--set", "serve.enabled=true",
		"--set", "serve.namespace="+made.namespace, "--set-file", `serve.policies.mine\.yaml=../../policies/interpreter.yaml`,
		"--set", "serve.bundles[0]="+registry+"/bundle@"+sum, "--set", "serve.volume.claim=theirs", "--set", "serve.settings.queue=hs",
		"--set", "serve.arguments[0]=--warm=study-analysis:visits", "--set", "serve.tolerations[0].operator=Exists")
	require.NoError(t, err, text)
	require.NotContains(t, text, "kind: PersistentVolumeClaim")
	for _, part := range []string{
		`queue: hs\n`, "claimName: theirs", `- "--warm=study-analysis:visits"`, "subPath: mine.yaml", "image: {reference: \"" + registry + "/bundle@" + sum,
	} {
		require.Contains(t, text, part)
	}
	for part := range strings.SplitSeq(text, "\n---\n") {
		if strings.Contains(part, "kind: Namespace") {
			continue // the test's own
		}
		said, err := made.kubectl(t, part, "create", "--dry-run=server", "-f", "-")
		if !strings.Contains(part, "kind: RoleBinding") { // of a namespace that is not there
			require.NoError(t, err, said)
		}
	}
}

// replaced makes a run whose pod is deleted once its code has begun, and asks the next pod for it.
func (s *service) replaced(t *testing.T, code, grace string) api.Run {
	t.Helper()
	created, err := s.client.CreateRun(t.Context(), api.CreateRun{Policy: policyName, Code: code}, client.CreateOptions{})
	require.NoError(t, err)
	begun := errors.New("it has begun")
	err = s.client.Follow(t.Context(), created.RunID, 0, func(event api.Event) error {
		if event.Type == api.EventStdout {
			return begun
		}
		return nil
	})
	require.ErrorIs(t, err, begun)
	said, err := s.kubectl(t, "", "delete", "pod", s.pod, "--namespace", s.service(), "--grace-period", grace)
	require.NoError(t, err, said)
	s.awaitEngine(t)
	s.connect(t)
	ended, err := s.client.Wait(t.Context(), created.RunID)
	require.NoError(t, err)
	return ended
}

const policyName = "cluster-interpreter"

// service is the Deployment in the cluster.
type service struct {
	installed
	pod    string // the one that answers
	client *client.Client
	token  string
	roots  *x509.CertPool
	// network is the pod's network namespace: no address of the machine's leads there.
	network *os.File
}

// startService applies deploy/ with the service, and gives it an image, a token and a client. What is
// changed of it is what a user changes, and what this cluster lacks: a way from its pods to its machine.
func startService(t *testing.T) *service {
	t.Helper()
	c := cluster.Require(t)
	store, built := imagetest.Built(t)
	found, err := store.OCIImage(built.Digest)
	require.NoError(t, err)
	c.ImportImage(t, found, registry+"/sandbox@"+built.Digest.String())
	for name, content := range files(t, profiles) {
		c.PutSeccomp(t, name, content)
	}
	runner := buildRunner(t)
	reference := runner.importInto(t, c)
	s := &service{roots: x509.NewCertPool()}
	s.installed = installFrom(t, s.overlay(t, c, reference, s.bundle(t, c, runner)), "serve")
	t.Cleanup(func() { // before the volume goes; who ends in order would wait for an API server that is away
		said, err := s.kubectl(t, "", "scale", "deployment/hotcell-serve", "--replicas", "0", "--namespace", s.service())
		require.NoError(t, err, said)
		said, err = s.kubectl(t, "", "delete", "pods", "--all", "--namespace", s.service(), "--grace-period", "1", "--timeout", cluster.Patience.String())
		require.NoError(t, err, said)
	})
	s.inForce(t)
	s.awaitEngine(t)
	save := exec.CommandContext(t.Context(), runner.binary, "--state", stateWithImages(t), "image", "save", "-")
	archive, err := save.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, save.Start())
	load := s.inEngine("image", "load", "-", "--digest", built.Digest.String())
	load.Stdin = archive
	said, err := load.CombinedOutput()
	require.NoError(t, err, string(said))
	require.NoError(t, save.Wait())
	token, err := s.inEngine("token", "create", "ci", "--file", "/var/lib/hotcell-tokens/tokens.json").Output()
	require.NoError(t, err)
	s.token = strings.TrimSpace(string(token))
	s.connect(t)
	return s
}

func stateWithImages(t *testing.T) string {
	t.Helper()
	state := filepath.Join(t.TempDir(), "state")
	require.NoError(t, os.Mkdir(state, 0o700))
	require.NoError(t, os.Symlink(imagetest.Dir(), filepath.Join(state, "images")))
	return state
}

// overlay is a directory as deploy/README.md has one.
func (s *service) overlay(t *testing.T, c *cluster.Cluster, reference, bundle string) string {
	t.Helper()
	dir := t.TempDir()
	deploy, err := filepath.Abs("../../deploy")
	require.NoError(t, err)
	relative, err := filepath.Rel(dir, deploy)
	require.NoError(t, err)
	volume, err := os.MkdirTemp(c.Dir, "volume-") // where the node finds it
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(volume)) })
	require.NoError(t, os.Chmod(volume, 0o777))
	text, err := os.ReadFile("../../policies/interpreter.yaml")
	require.NoError(t, err)
	own := strings.NewReplacer("name: interpreter", "name: "+policyName, "optional_controls: [", "optional_controls: [cgroup_namespace, ").Replace(string(text))
	name, digest, _ := strings.Cut(reference, "@")
	certificate, key := s.certificate(t)
	host, port, _ := strings.Cut(strings.TrimPrefix(c.Config.Host, "https://"), ":")
	write := func(name, content string, values ...string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(strings.NewReplacer(values...).Replace(content)), 0o644))
	}
	write(policyName+".yaml", own)
	write("tls.crt", certificate)
	write("tls.key", key)
	write("volume.yaml", volumeText, "@NODE@", c.NodeName, "@PATH@", volume, "@NAME@", strings.ToLower(filepath.Base(volume)))
	write("kustomization.yaml", overlayText, "@DEPLOY@", relative, "@RUNNER@", name, "@DIGEST@", digest,
		"@BUNDLE@", bundle, "@REGISTRY@", registry, "@POLICY@", policyName, "@HOST@", host, "@PORT@", port)
	return dir
}

// overlayText is what is said of the service, and at its end what only this cluster needs: its pods and its
// machine do not reach each other, so that no kubelet probes one, and the API server answers at loopback.
const overlayText = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [@DEPLOY@, volume.yaml]
components: [@DEPLOY@/serve]
images:
  - {name: localhost:30443/hotcell-runner, newName: @RUNNER@, digest: "@DIGEST@"}
secretGenerator:
  - {name: hotcell-serve-tls, namespace: hotcell-service, type: kubernetes.io/tls, files: [tls.crt, tls.key]}
configMapGenerator:
  - {name: hotcell-policies, namespace: hotcell-service, files: [@POLICY@.yaml]}
generatorOptions: {disableNameSuffixHash: true}
patches:
  - target: {kind: ConfigMap, name: hotcell-serve}
    patch: |
      - {op: replace, path: /data/kubernetes.yaml, value: "version: 1\nregistry: @REGISTRY@\nnamespace: hotcell-runs\n"}
  - target: {kind: Deployment, name: hotcell-serve}
    patch: |
      - {op: add, path: /spec/template/spec/volumes/-, value: {name: policies, configMap: {name: hotcell-policies}}}
      - op: add
        path: /spec/template/spec/containers/0/volumeMounts/-
        value: {name: policies, subPath: @POLICY@.yaml, mountPath: /etc/hotcell/policies/@POLICY@.yaml, readOnly: true}
      - {op: add, path: /spec/template/spec/volumes/-, value: {name: bundle-0, image: {reference: "@BUNDLE@"}}}
      - op: add
        path: /spec/template/spec/initContainers/-
        value:
          name: bundle-0
          image: localhost:30443/hotcell-runner
          args: [bundle, add, /bundle]
          env: [{name: HOTCELL_STATE, value: /var/lib/hotcell}]
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          resources: {requests: {cpu: 10m, memory: 64Mi}, limits: {cpu: "1", memory: 512Mi}}
          volumeMounts:
            - {name: volume, subPath: engine, mountPath: /var/lib/hotcell}
            - {name: bundle-0, mountPath: /bundle, readOnly: true}
            - {name: engine-tmp, mountPath: /tmp}
      - {op: remove, path: /spec/template/spec/containers/1/readinessProbe}
      - {op: remove, path: /spec/template/spec/containers/1/livenessProbe}
      - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: KUBERNETES_SERVICE_HOST, value: "@HOST@"}}
      - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: KUBERNETES_SERVICE_PORT, value: "@PORT@"}}
`

const volumeText = `apiVersion: v1
kind: PersistentVolume
metadata: {name: "@NAME@"}
spec:
  capacity: {storage: 50Gi}
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Retain
  claimRef: {namespace: hotcell-service, name: hotcell-serve}
  local: {path: "@PATH@"}
  nodeAffinity:
    required:
      nodeSelectorTerms:
        - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: ["@NODE@"]}]
`

// certificate is one for 127.0.0.1, which the client believes.
func (s *service) certificate(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	of := x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "hotcell"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	made, err := x509.CreateCertificate(rand.Reader, &of, &of, private.Public(), private)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	certificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made}))
	require.True(t, s.roots.AppendCertsFromPEM([]byte(certificate)))
	return certificate, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded}))
}

// inEngine is a command of the runner's in the engine's container.
func (s *service) inEngine(arguments ...string) *exec.Cmd {
	return exec.Command(filepath.Join(s.cluster.Dir, "bin", "kubectl"), append([]string{
		"--kubeconfig", s.cluster.Kubeconfig, "exec", "--stdin", "--namespace", s.service(), s.pod, "--container", "engine", "--", "/usr/bin/runner",
	}, arguments...)...)
}

// awaitEngine waits for a pod, and for its engine to answer.
func (s *service) awaitEngine(t *testing.T) {
	t.Helper()
	last := s.pod
	var uid string
	require.Eventually(t, func() bool {
		said, err := s.kubectl(t, "", "get", "pods", "--namespace", s.service(), "--output", "json")
		var found struct {
			Items []struct {
				Metadata struct{ Name, UID, DeletionTimestamp string }
			}
		}
		if err != nil || json.Unmarshal([]byte(said), &found) != nil {
			return false
		}
		for _, one := range found.Items {
			if one.Metadata.Name != last && one.Metadata.DeletionTimestamp == "" {
				s.pod, uid = one.Metadata.Name, one.Metadata.UID
			}
		}
		return uid != ""
	}, cluster.Patience, 200*time.Millisecond)
	s.network = giveAPIServer(t, uid, strings.TrimPrefix(s.cluster.Config.Host, "https://"))
	said := ""
	require.Eventually(t, func() bool {
		answer, err := s.inEngine("engine", "status").CombinedOutput()
		said = string(answer)
		return err == nil
	}, 2*cluster.Patience, time.Second, "%s", s.told(t))
	require.Contains(t, said, "kubernetes")
}

// told is what a failure is looked at by.
func (s *service) told(t *testing.T) string {
	described, _ := s.kubectl(t, "", "describe", "pods", "--namespace", s.service())
	logged, _ := s.kubectl(t, "", "logs", "--namespace", s.service(), s.pod, "--all-containers", "--prefix")
	return described + logged
}

// connect makes a client of the pod that answers now.
func (s *service) connect(t *testing.T) {
	t.Helper()
	address := s.forward(t)
	config := &tls.Config{RootCAs: s.roots, ServerName: "localhost", MinVersion: tls.VersionTLS13}
	made, err := client.New(client.Options{URL: "https://" + address, Token: s.token, TLS: config})
	require.NoError(t, err)
	s.client = made
	asking := http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}}
	require.Eventually(t, func() bool { return s.answers(t.Context(), &asking, "https://"+address+"/readyz") }, cluster.Patience, 500*time.Millisecond)
}

func (s *service) answers(ctx context.Context, asking *http.Client, url string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false
	}
	answer, err := asking.Do(request)
	if err != nil {
		return false
	}
	return answer.Body.Close() == nil && answer.StatusCode == http.StatusNoContent
}

// run makes a run, and waits for its end.
func (s *service) run(t *testing.T, code string) api.Run {
	t.Helper()
	made, err := s.client.CreateRun(t.Context(), api.CreateRun{Policy: policyName, Code: code}, client.CreateOptions{})
	require.NoError(t, err)
	made, err = s.client.Wait(t.Context(), made.RunID)
	require.NoError(t, err)
	return made
}
