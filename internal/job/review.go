package job

// Review is what the disclosure checks have found in what a run gives out, for the person who
// decides whether that may leave. It holds no value of the output: where something is, how
// often, and which rule says so.
type Review struct {
	// Needed says that somebody should look: there is a finding, or the checks were not complete.
	Needed   bool           `json:"needed"`
	Complete bool           `json:"complete"` // false: something was too large, or took too long, to be looked at to its end
	Criteria ReviewCriteria `json:"criteria"`
	// Tables are those that were found in files and in the result.
	Tables   []ReviewTable   `json:"tables"`
	Findings []ReviewFinding `json:"findings"`
}

// ReviewCriteria are the thresholds by which a run was looked at.
type ReviewCriteria struct {
	Mode       string `json:"mode"`        // "flag" or "refuse"
	MinCell    int64  `json:"min_cell"`    // fewest persons that a count may stand for
	MaxRows    int64  `json:"max_rows"`    // of a table
	CopiedRows int64  `json:"copied_rows"` // how many rows of the data are too many in a table
	// DataColumns is how many columns of the data were known by name, and Marked how many of
	// them are marked as telling something of a person: without these the rules that need
	// them find nothing.
	DataColumns int `json:"data_columns"`
	Marked      int `json:"marked"`
}

// ReviewTable is one table of the output.
type ReviewTable struct {
	Path    string `json:"path,omitempty"` // of the file
	Part    string `json:"part,omitempty"` // else "result"
	Rows    int64  `json:"rows"`
	Columns int64  `json:"columns"`
}

// ReviewFinding is one reason to look.
type ReviewFinding struct {
	Rule    string `json:"rule"`
	Path    string `json:"path,omitempty"` // of the file
	Part    string `json:"part,omitempty"` // else "stdout", "stderr", "result" or "charts"
	Row     int64  `json:"row,omitempty"`  // of a table without its header, or line of a text, from 1: where it is first
	Column  int64  `json:"column,omitempty"`
	Count   int64  `json:"count"` // how often, at least
	Message string `json:"message"`
}

// Within is what a review has found in some of a run's files. What the run has printed, and what
// its other files have, is not in it. Tables are left as they are.
func (r Review) Within(files []File) Review {
	paths := map[string]bool{}
	for _, file := range files {
		paths[file.Path] = true
	}
	found := []ReviewFinding{}
	for _, finding := range r.Findings {
		if paths[finding.Path] {
			found = append(found, finding)
		}
	}
	r.Findings, r.Needed = found, len(found) > 0 || !r.Complete
	return r
}
