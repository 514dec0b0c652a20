//go:build !linux

package docker

import (
	"context"
	"net"
)

// dialDaemon takes whoever answers: no daemon is local here, so that nothing which it
// names is touched, and Docker Desktop's is the user's also where root asks.
func dialDaemon(ctx context.Context, path string) (net.Conn, error) {
	var dialer net.Dialer
	return dialer.DialContext(ctx, "unix", path)
}
