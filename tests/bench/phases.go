package main

import "hotcell/internal/job"

// phases are the parts of runs, by row and part.
type phases map[*way]map[string]sample

func (p phases) add(w *way, trace *job.Trace) {
	if p[w] == nil {
		p[w] = map[string]sample{}
	}
	for _, part := range trace.Phases {
		p[w][part.Phase] = append(p[w][part.Phase], part.MS)
	}
}
