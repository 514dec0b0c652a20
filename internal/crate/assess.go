package crate

import (
	"fmt"

	"hotcell/internal/job"
	"hotcell/internal/records"
)

// disclosureCheck is the phase of the profile in which somebody, or something, decides
// whether what was made may leave.
const disclosureCheck = "https://w3id.org/shp#DisclosureCheck"

// assess adds the reviews that have been. The profile's checks of a submitted crate, its
// validation, a download and a sign-off are not among them: nobody submits a crate here.
func (m *made) assess(g *graph) {
	result := m.result()
	if status, known := vetted(result); known {
		m.review(g, entity{
			"@id": "#vetting", "name": "Vetting of the script by the guard: " + word(status), "actionStatus": status,
			"object": refs(rootID, workflowID), "instrument": ref("#policy"), "agent": ref(hotcellID),
		})
	}
	if status, known := verified(result); known {
		m.review(g, entity{
			"@id": "#verification", "name": "Verification of the output's files by the host: " + word(status), "actionStatus": status,
			"object": ref(rootID), "instrument": ref("#policy"), "agent": ref(hotcellID),
		})
	}
	m.assessDisclosure(g)
	for n, event := range m.Events {
		if event.Kind != records.KindRelease {
			continue
		}
		status := completed
		if !allows(event) {
			status = failedAction
		}
		m.review(g, entity{
			"@id": fmt.Sprintf("#release-%d", n), "additionalType": ref(disclosureCheck), "name": "Decision on the release of the output: " + word(status),
			"actionStatus": status, "endTime": moment(event.Time), "object": ref(rootID), "agent": ref(g.person(event.Actor)),
		})
	}
}

// assessDisclosure adds what the checks for disclosure have said, unless a person has decided on
// what they found.
func (m *made) assessDisclosure(g *graph) {
	said := m.result().Review
	if said == nil {
		return
	}
	status, outcome := completed, "nothing to look at"
	if said.Needed {
		if _, decided := m.decision(); decided {
			return
		}
		status, outcome = pending, fmt.Sprintf("findings: %d, on which nobody has decided: pending", len(said.Findings))
		if !said.Complete {
			outcome = "not complete, " + outcome
		}
	}
	m.review(g, entity{
		"@id": "#disclosure", "additionalType": ref(disclosureCheck), "name": "Automated disclosure checks: " + outcome,
		"actionStatus": status, "object": ref(rootID), "instrument": ref("#policy"), "agent": ref(hotcellID),
	})
}

func (m *made) review(g *graph, one entity) {
	one["@type"] = "AssessAction"
	g.mentions = append(g.mentions, g.add(one))
}

func word(status string) string {
	if status == completed {
		return "passed"
	}
	return "not passed"
}

// vetted says whether the guard has accepted the script, where the run's status tells it:
// what was ended from outside may have been ended before.
func vetted(result job.Result) (status string, known bool) {
	if result.Provenance.Guard != job.GuardEnforced {
		return "", false
	}
	switch result.Status {
	case job.Succeeded, job.Failed, job.OutputRejected:
		return completed, true
	case job.Rejected:
		return failedAction, true
	default:
		return "", false
	}
}

// verified says whether the host has accepted what the run wrote.
func verified(result job.Result) (status string, known bool) {
	switch result.Status {
	case job.Succeeded:
		return completed, true
	case job.OutputRejected:
		return failedAction, true
	default:
		return "", false
	}
}
