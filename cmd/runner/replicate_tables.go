package main

import "hotcell/internal/job"

// tablesAgain are the tables that the run found loaded; nil, for all, where the record is of
// an earlier version or of a run without.
func tablesAgain(was job.Provenance) []string {
	var names []string
	for _, table := range was.Tables {
		names = append(names, table.Name)
	}
	return names
}
