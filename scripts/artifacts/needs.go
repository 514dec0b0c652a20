package main

import (
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// needs is what a binary asks of the host.
type needs struct {
	libraries []string // by their sonames, sorted
	glibc     string   // the highest version of a symbol, such as 2.34
}

func needsOf(path string) (needs, error) {
	file, err := elf.Open(path)
	if err != nil {
		return needs{}, err
	}
	defer file.Close()
	libraries, err := file.ImportedLibraries()
	if err != nil {
		return needs{}, err
	}
	symbols, err := file.ImportedSymbols()
	if err != nil {
		return needs{}, err
	}
	found := needs{libraries: slices.Sorted(slices.Values(libraries))}
	for _, symbol := range symbols {
		if version, ok := strings.CutPrefix(symbol.Version, "GLIBC_"); ok && compareVersions(version, found.glibc) > 0 {
			found.glibc = version
		}
	}
	if found.glibc == "" {
		return needs{}, errors.New("no symbol of glibc is needed: it is not linked as releases are")
	}
	return found, nil
}

// compareVersions compares numbers with dots. What is no number is the lowest one.
func compareVersions(a, b string) int {
	one, other := strings.Split(a, "."), strings.Split(b, ".")
	for n := range max(len(one), len(other)) {
		if order := cmp.Compare(part(one, n), part(other, n)); order != 0 {
			return order
		}
	}
	return 0
}

func part(version []string, n int) int {
	if n >= len(version) {
		return -1
	}
	number, err := strconv.Atoi(version[n])
	if err != nil {
		return -1
	}
	return number
}

// printNeeds prints lines for a shell: glibc VERSION, and library SONAME for each.
func printNeeds(out io.Writer, path string) error {
	found, err := needsOf(path)
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	fmt.Fprintln(out, "glibc", found.glibc)
	for _, library := range found.libraries {
		fmt.Fprintln(out, "library", library)
	}
	return nil
}
