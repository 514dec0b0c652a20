package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// faults is how many pages one measurement touches.
const faults = 2000

// freshFaults measures what a page costs that nobody has touched before, in milliseconds:
// half of what a new process does with its memory.
func freshFaults(context.Context) (float64, error) {
	memory, err := unix.Mmap(-1, 0, faults*unix.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return 0, fmt.Errorf("map memory: %w", err)
	}
	took, err := touch(memory)
	return took, errors.Join(err, unix.Munmap(memory))
}

// copiedFaults measures what a page costs that has to be copied because others have it,
// too: the other half, in a process that was forked.
func copiedFaults(context.Context) (_ float64, err error) {
	size := faults * unix.Getpagesize()
	file, err := unix.MemfdCreate("bench", unix.MFD_CLOEXEC)
	if err != nil {
		return 0, fmt.Errorf("make memory: %w", err)
	}
	defer func() { err = errors.Join(err, unix.Close(file)) }()
	if err := unix.Ftruncate(file, int64(size)); err != nil {
		return 0, fmt.Errorf("make memory: %w", err)
	}
	if _, err := unix.Pwrite(file, make([]byte, size), 0); err != nil {
		return 0, fmt.Errorf("make memory: %w", err)
	}
	// Mapped for writing, they would be copied at once.
	memory, err := unix.Mmap(file, 0, size, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_POPULATE)
	if err != nil {
		return 0, fmt.Errorf("map memory: %w", err)
	}
	defer func() { err = errors.Join(err, unix.Munmap(memory)) }()
	if err := unix.Mprotect(memory, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return 0, fmt.Errorf("map memory: %w", err)
	}
	return touch(memory)
}

// touch writes to each page, one page at a time.
func touch(memory []byte) (float64, error) {
	if err := unix.Madvise(memory, unix.MADV_NOHUGEPAGE); err != nil && !errors.Is(err, unix.EINVAL) { // a kernel without them
		return 0, fmt.Errorf("map memory: %w", err)
	}
	begun := time.Now()
	for at := 0; at < len(memory); at += unix.Getpagesize() {
		memory[at]++
	}
	return float64(time.Since(begun).Nanoseconds()) / 1e6 / faults, nil
}
