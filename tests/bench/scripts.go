package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// script is what is run in every way.
type script struct {
	name  string // in the tables
	code  string // for a guard, which has loaded the table
	table bool   // whether it wants the table
	wants answer
}

// answer is what a script's answer has to be.
type answer string

const (
	anything answer = ""
	two      answer = "2"
	means    answer = "a mean for each site"
)

// groupBy is the analysis of all rows of a table: one line.
const groupBy = "%s.groupby('site').value.mean().round(6).to_dict()"

var (
	one    = script{name: "`1 + 1`", code: "1 + 1", wants: two}
	pandas = script{name: "`import pandas`", code: "import pandas"}
	group  = groupOf("visits")
	awards = groupOf("award_data") // in the policy that has sessions
)

func groupOf(table string) script {
	return script{name: "group-by", code: fmt.Sprintf(groupBy, table), table: true, wants: means}
}

// plain is the script for an interpreter without a guard: it loads the table itself, and
// prints its answer.
func (s script) plain() string {
	if !s.table {
		return s.code
	}
	return fmt.Sprintf("import pandas\nvisits = pandas.read_csv('/bundle/visits.csv')\nprint(%s)", s.code)
}

// check wants the script's answer, which is JSON.
func (s script) check(result json.RawMessage) error {
	switch s.wants {
	case two:
		if string(result) != "2" {
			return fmt.Errorf("1 + 1 is %s", result)
		}
	case means:
		var found map[string]float64
		if err := json.Unmarshal(result, &found); err != nil || len(found) != sites {
			return fmt.Errorf("there are %d means instead of %d", len(found), sites)
		}
	case anything:
	}
	return nil
}

// checkPlain wants what a plain interpreter prints.
func (s script) checkPlain(printed string) error {
	if s.wants == means && strings.Count(printed, ":") != sites {
		return fmt.Errorf("the group-by printed %q", printed)
	}
	return nil
}
