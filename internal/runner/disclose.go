package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"hotcell/internal/disclosure"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/policy"
	"hotcell/internal/wire"
)

var errLookTime = errors.New("time to look at the output")

// disclose looks at what a run gives out: what it printed, whatever became of it, and its files,
// result and charts where it has completed. It is nil where the policy has nobody look. What is
// given out is released after that, but for what was printed, which went out as it came.
func (e *execution) disclose(ctx context.Context, found *evidence, verified *output.Verified, said *transcript) (*job.Review, error) {
	wanted := e.terms.Policy.Disclosure
	if wanted == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.options.judgeTime, errLookTime)
	defer cancel()
	review, err := disclosure.Look(ctx, disclosure.Options{
		Criteria: disclosure.Criteria{MinCell: wanted.MinCell, MaxRows: wanted.MaxRows, CopiedRows: wanted.CopiedRows},
		Parts:    outgoing(found, verified, said), Data: e.plan.compare.tables, Names: e.plan.compare.identified, Rows: e.plan.compare.runs, Ours: today(e.started),
	})
	if err != nil {
		return nil, err
	}
	review.Criteria.Mode = string(wanted.Mode)
	return &review, nil
}

// today is how libraries print the day of the run in their reports.
func today(started time.Time) []string {
	var all []string
	for _, day := range []time.Time{started, started.Local()} {
		all = append(all, day.Format(time.DateOnly), day.Format("02 Jan 2006"))
	}
	return slices.Compact(all)
}

func outgoing(found *evidence, verified *output.Verified, said *transcript) []disclosure.Part {
	var all []disclosure.Part
	if said != nil {
		all = append(all, disclosure.Text("stdout", "text/plain", said.stdout.text()), disclosure.Text("stderr", "text/plain", said.stderr.text()))
	}
	report := found.report
	if report == nil {
		return all
	}
	if report.Error != nil {
		all = append(all, disclosure.Text("error", "text/plain", report.Error.Message+"\n"+report.Error.Traceback))
	}
	if len(found.violations) > 0 {
		return all
	}
	if len(report.Result) > 0 {
		all = append(all, disclosure.Text("result", "application/json", string(report.Result)))
	}
	for _, chart := range found.charts {
		if len(chart.Spec) > 0 {
			all = append(all, disclosure.Text("charts", disclosure.ChartType, string(chart.Spec)))
		}
	}
	if verified == nil {
		return all
	}
	for _, file := range verified.Files() {
		all = append(all, disclosure.Part{
			Path: file.Path, MediaType: file.MediaType,
			Open: func() (io.ReadCloser, error) { return verified.Open(file.Path) },
		})
	}
	return all
}

// ruleReview is of an output that somebody has to look at before it leaves, where the policy
// has nobody do so.
const ruleReview = "output.disclosure"

// refusal makes the findings of a review violations, where the policy refuses them.
func (e *execution) refusal(review *job.Review) []job.Violation {
	if review == nil || !review.Needed || e.terms.Policy.Disclosure.Mode == policy.DisclosureFlag {
		return nil
	}
	var all []job.Violation
	for _, finding := range review.Findings {
		place := finding.Path
		if place == "" {
			place = finding.Part
		}
		where := ""
		if finding.Row > 0 {
			where = fmt.Sprintf(", first at %d", finding.Row)
		}
		all = append(all, job.Violation{Rule: ruleReview, Path: place, Message: fmt.Sprintf("%s (%s, %d times%s): this policy lets no such output leave", finding.Message, finding.Rule, finding.Count, where)})
	}
	return all
}

// withhold refuses what a review refuses, and closes what was verified then.
func (e *execution) withhold(review *job.Review, found *evidence, verified *output.Verified) (*output.Verified, error) {
	refused := e.refusal(review)
	completed := found.report != nil && found.report.Outcome == wire.OutcomeCompleted
	if len(refused) == 0 || !completed || len(found.violations) > 0 {
		return verified, nil
	}
	found.violations, found.charts = refused, nil
	return nil, closeVerified(verified)
}

// lookAt is disclose and what follows from it. Where the output is refused, and where we fail,
// what was verified is closed.
func (e *execution) lookAt(ctx context.Context, found *evidence, verified *output.Verified, said *transcript) (*output.Verified, *job.Review, error) {
	review, err := e.disclose(ctx, found, verified, said)
	if err != nil {
		return nil, nil, errors.Join(err, closeVerified(verified))
	}
	verified, err = e.withhold(review, found, verified)
	return verified, review, err
}
