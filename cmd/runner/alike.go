package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// maxAlike is the longest name that is compared with others.
const maxAlike = 64

// meant is ": maybe you meant X" where one of the known names is nearly what was given, else
// nothing.
func meant(given, before string, known []string) string {
	best, least := "", max(1, len(given)/3)+1
	for _, name := range known {
		if changes := distance(given, name); changes < least {
			best, least = name, changes
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(": maybe you meant %s%s", before, best)
}

func commandsOf(cmd *cobra.Command) (names []string) {
	for _, each := range cmd.Commands() {
		if each.IsAvailableCommand() {
			names = append(names, each.Name())
		}
	}
	return names
}

func flagsOf(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	return names
}

// distance counts the letters that are added, left out, changed, or in the other order.
func distance(a, b string) int {
	if len(a) > maxAlike || len(b) > maxAlike {
		return maxAlike
	}
	above, before := make([]int, len(b)+1), make([]int, len(b)+1)
	for column := range before {
		before[column] = column
	}
	for row := 1; row <= len(a); row++ {
		now := make([]int, len(b)+1)
		now[0] = row
		for column := 1; column <= len(b); column++ {
			change := 1
			if a[row-1] == b[column-1] {
				change = 0
			}
			now[column] = min(before[column]+1, now[column-1]+1, before[column-1]+change)
			if row > 1 && column > 1 && a[row-1] == b[column-2] && a[row-2] == b[column-1] {
				now[column] = min(now[column], above[column-2]+1)
			}
		}
		above, before = before, slices.Clone(now)
	}
	return before[len(b)]
}
