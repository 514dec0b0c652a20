//go:build linux

package oci

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"

	"hotcell/internal/container"
)

// takeLoopbackDown undoes what runtimes do to the one interface of a new network
// namespace, and refuses a namespace with another one.
func takeLoopbackDown(pid int) error {
	handle, err := os.Open(fmt.Sprintf("/proc/%d/ns/net", pid))
	if err != nil {
		return fmt.Errorf("open network namespace: %w", err)
	}
	defer handle.Close()
	err = onThread(func() error {
		if err := unix.Setns(int(handle.Fd()), unix.CLONE_NEWNET); err != nil {
			return fmt.Errorf("enter network namespace: %w", err)
		}
		if err := setDown("lo"); err != nil {
			return fmt.Errorf("take loopback down: %w", err)
		}
		return requireOnlyLoopback()
	})
	return err
}

func setDown(name string) error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	// Without its address first: the kernel keeps the local routes of an interface
	// that is merely down.
	if err := request.SetInet4Addr([]byte{0, 0, 0, 0}); err != nil {
		return err
	}
	if err := unix.IoctlIfreq(socket, unix.SIOCSIFADDR, request); err != nil {
		return err
	}
	request.SetUint16(0) // without IFF_UP
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}

func requireOnlyLoopback() error {
	interfaces, err := net.Interfaces()
	if err != nil {
		return err
	}
	for _, each := range interfaces {
		if each.Name != "lo" || each.Flags&net.FlagUp != 0 {
			return container.Lacking(container.ControlNamespaces, fmt.Errorf("network interface %s is %s", each.Name, each.Flags))
		}
	}
	return nil
}
