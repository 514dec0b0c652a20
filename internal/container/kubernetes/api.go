package kubernetes

import (
	"fmt"
	"net/http"

	batchclient "k8s.io/client-go/kubernetes/typed/batch/v1"
	coordinationclient "k8s.io/client-go/kubernetes/typed/coordination/v1"
	coreclient "k8s.io/client-go/kubernetes/typed/core/v1"
	networkingclient "k8s.io/client-go/kubernetes/typed/networking/v1"
	nodeclient "k8s.io/client-go/kubernetes/typed/node/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// clients are the API that the engine speaks to: of each group only what it uses.
type clients struct {
	config     *rest.Config
	http       *http.Client
	core       *coreclient.CoreV1Client
	batch      *batchclient.BatchV1Client
	networking *networkingclient.NetworkingV1Client
	leases     *coordinationclient.CoordinationV1Client
	classes    *nodeclient.NodeV1Client
}

// connect reads a kubeconfig as kubectl does: KUBECONFIG, else ~/.kube/config, else the
// service account of the pod that this process is in. It asks the cluster nothing.
func connect(context string) (*clients, error) {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		clientcmd.NewDefaultClientConfigLoadingRules(), &clientcmd.ConfigOverrides{CurrentContext: context},
	).ClientConfig()
	if err != nil {
		return nil, fmt.Errorf("find a cluster: %w: set KUBECONFIG, or run in a pod with a service account", err)
	}
	return dial(config)
}

// dial makes clients that share their connections. Nothing holds back how often they ask: the
// server has its own fairness, and what waits for a client of ours is a run.
func dial(config *rest.Config) (*clients, error) {
	config = rest.CopyConfig(config)
	config.QPS = -1
	config.UserAgent = "hotcell-runner"
	shared, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("make a client of the cluster: %w", err)
	}
	made := &clients{config: config, http: shared}
	for _, client := range []func() error{
		func() (err error) { made.core, err = coreclient.NewForConfigAndClient(config, shared); return err },
		func() (err error) { made.batch, err = batchclient.NewForConfigAndClient(config, shared); return err },
		func() (err error) {
			made.networking, err = networkingclient.NewForConfigAndClient(config, shared)
			return err
		},
		func() (err error) {
			made.leases, err = coordinationclient.NewForConfigAndClient(config, shared)
			return err
		},
		func() (err error) { made.classes, err = nodeclient.NewForConfigAndClient(config, shared); return err },
	} {
		if err := client(); err != nil {
			return nil, fmt.Errorf("make a client of the cluster: %w", err)
		}
	}
	return made, nil
}

// close frees idle connections.
func (c *clients) close() { c.http.CloseIdleConnections() }
