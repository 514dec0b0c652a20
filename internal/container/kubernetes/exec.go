package kubernetes

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	remotecommandconsts "k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
	"k8s.io/klog/v2"
)

// exec runs a command in a container of a pod until it ends, and returns its exit code. An
// error says that nobody knows how it ended, and whether.
//
// Only the fifth version of the protocol is spoken: in those before, the end of what is sent
// cannot be told without closing all of the connection (kubernetes#89899).
func (e *Engine) exec(ctx context.Context, pod, name string, command []string, streams remotecommand.StreamOptions) (int, error) {
	request := e.api.core.RESTClient().Post().Resource("pods").Namespace(e.settings.Namespace).Name(pod).SubResource("exec").
		VersionedParams(&corev1.PodExecOptions{
			Container: name, Command: command,
			Stdin: streams.Stdin != nil, Stdout: streams.Stdout != nil, Stderr: streams.Stderr != nil,
		}, scheme.ParameterCodec)
	executor, err := remotecommand.NewWebSocketExecutorForProtocols(e.api.config, http.MethodGet, request.URL().String(),
		remotecommandconsts.StreamProtocolV5Name)
	if err != nil {
		return 0, fmt.Errorf("make an exec of the cluster: %w", err)
	}
	// The library prints each stream that ends with its connection. What it means for the run
	// is ours to say.
	err = executor.StreamWithContext(klog.NewContext(ctx, logr.Discard()), streams)
	if code, ended := errors.AsType[exec.CodeExitError](err); ended {
		return code.Code, nil
	}
	if err != nil {
		return 0, fmt.Errorf("exec in container %s of pod %s: %w", name, pod, err)
	}
	return 0, nil
}
