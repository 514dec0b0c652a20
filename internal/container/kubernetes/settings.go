package kubernetes

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"hotcell/internal/durable"
	"hotcell/internal/strictyaml"
)

// DefaultNamespace is where sandboxes are where nobody says otherwise; deploy/ makes it.
const DefaultNamespace = "hotcell-runs"

// DefaultSettings is where the settings of a host are.
const DefaultSettings = "/etc/hotcell/kubernetes.yaml"

// Settings say which cluster, and where in it.
type Settings struct {
	Version int `yaml:"version"`
	// Context of the kubeconfig; "" is its current one, or the cluster that this process is in.
	Context string `yaml:"context"`
	// Namespace of the sandboxes; "" is DefaultNamespace.
	Namespace string `yaml:"namespace"`
	// Registry is where nodes get images and bundles from, as host:port or host:port/path:
	// REGISTRY/sandbox@DIGEST and REGISTRY/bundle@DIGEST.
	Registry string `yaml:"registry"`
	// Queue is the Kueue LocalQueue that Jobs wait in; "" for none.
	Queue string `yaml:"queue"`
	// NodeSelector are the labels that a sandbox's node must have.
	NodeSelector map[string]string `yaml:"node_selector"`
	Tolerations  []Toleration      `yaml:"tolerations"`
	// PriorityClass of the pods; "" is the cluster's default one.
	PriorityClass string `yaml:"priority_class"`
	// HostUsers gives pods the node's user namespace, for nodes that cannot make others. A
	// policy must then accept the absence of user_namespace and pids.max.
	HostUsers bool `yaml:"host_users"`
}

// Toleration lets sandboxes onto nodes with a taint. Its fields are Kubernetes' own.
type Toleration struct {
	Key      string `yaml:"key"`
	Operator string `yaml:"operator"` // Exists or Equal
	Value    string `yaml:"value"`
	Effect   string `yaml:"effect"`
}

//go:embed settings.schema.json
var schemaText []byte

var loadedSchema = sync.OnceValues(func() (strictyaml.Schema, error) {
	return strictyaml.NewSchema("settings.schema.json", schemaText)
})

// InvalidError is all that is wrong with a file of settings.
type InvalidError struct {
	Path   string
	Faults []strictyaml.Fault
}

// Error implements error.
func (e *InvalidError) Error() string {
	lines := make([]string, 0, len(e.Faults))
	for _, fault := range e.Faults {
		lines = append(lines, e.Path+": "+fault.String())
	}
	return strings.Join(lines, "\n")
}

// LoadSettings reads a file of settings that nobody but its owner and root can change: it
// says where code and data go.
func LoadSettings(path string) (Settings, error) {
	data, _, err := durable.ReadTrusted(path, strictyaml.MaxBytes)
	if err != nil {
		return Settings{}, fmt.Errorf("read the settings of the kubernetes engine %s: %w", path, err)
	}
	return parseSettings(path, data)
}

func parseSettings(path string, data []byte) (Settings, error) {
	schema, err := loadedSchema()
	if err != nil {
		return Settings{}, fmt.Errorf("compile schema of settings: %w", err)
	}
	document, faults := strictyaml.Parse(data)
	if document == nil {
		return Settings{}, &InvalidError{path, strictyaml.Listed(faults)}
	}
	if faults = append(faults, schema.Faults(document)...); len(faults) > 0 {
		return Settings{}, &InvalidError{path, strictyaml.Listed(faults)}
	}
	var read Settings
	if err := yaml.NodeToValue(document, &read, yaml.Strict()); err != nil {
		return Settings{}, &InvalidError{path, []strictyaml.Fault{strictyaml.FaultOf(err)}}
	}
	return read.complete()
}

// settingsVersion is the one that is known.
const settingsVersion = 1

var (
	// namePattern is what Kubernetes takes for a name or a label's value (RFC 1123).
	namePattern = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$`)
	// registryPattern is a host, with a port and a path where there are any, and no scheme.
	registryPattern = regexp.MustCompile(`^[a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?(:[0-9]{1,5})?(/[a-z0-9]+([._-][a-z0-9]+)*)*$`)
)

// complete fills in what was left out, and refuses what a schema would have, for settings
// that no file has.
func (s Settings) complete() (Settings, error) {
	if s.Namespace == "" {
		s.Namespace = DefaultNamespace
	}
	var faults []error
	if s.Version != settingsVersion {
		faults = append(faults, fmt.Errorf("version is %d: this program knows %d", s.Version, settingsVersion))
	}
	if !namePattern.MatchString(s.Namespace) {
		faults = append(faults, fmt.Errorf("namespace %q is no name", s.Namespace))
	}
	if !registryPattern.MatchString(s.Registry) {
		faults = append(faults, fmt.Errorf("registry %q is not host[:port][/path]: nodes get images and bundles from there (runner registry is one)", s.Registry))
	}
	return s, errors.Join(faults...)
}
