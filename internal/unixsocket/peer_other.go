//go:build !linux

package unixsocket

import (
	"errors"
	"fmt"
	"net"
)

// PeerUID fails: SO_PEERCRED is Linux's.
func PeerUID(net.Conn) (uint32, error) {
	return 0, fmt.Errorf("look at peer: %w", errors.ErrUnsupported)
}

// PeerSeen fails: SO_PEERCRED is Linux's.
func PeerSeen(net.Conn) (bool, error) {
	return false, fmt.Errorf("look at peer: %w", errors.ErrUnsupported)
}
