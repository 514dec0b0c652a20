package records

import (
	"slices"

	"hotcell/internal/digest"
)

// tableLists are what the chain says of the bundles' prepared tables: the digests of their lists,
// by the bundle's. Equal data are equal tables, so a bundle has one for each form that a version
// of the runner has prepared.
type tableLists map[digest.Hex][]digest.Hex

func (p tableLists) note(event Event) {
	of, index := event.Subject(RoleBundle), event.Subject(RoleFile)
	if event.Kind == KindBundleAdded && of != "" && index != "" {
		p[of] = append(p[of], index)
	}
}

// tables holds what a run found loaded to what the chain says of its bundle, at any place: two
// may add and use a bundle at the same time. Nothing else ties the store's list of prepared
// tables to the bundle's digest. A copy of a run has no event of a bundle.
func (c *verifier) tables(record Record) {
	was := record.Result.Provenance
	if c.view == nil || was.TablesSHA256 == "" || slices.Contains(c.prepared[was.Bundle.Hex()], was.TablesSHA256) {
		return
	}
	id, problem, what := record.Result.RunID, Changed, "are not those that the chain names for it: this run computed with other data"
	if len(c.prepared[was.Bundle.Hex()]) == 0 {
		problem, what = Added, "are named by no event of the chain: `runner bundle add` of the same data has it name them"
	}
	c.add(problem, id, "", "run %s: the prepared tables (sha256 %s) of bundle %s %s", id, was.TablesSHA256, was.Bundle, what)
}
