package runner

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"hotcell/internal/answer"
	"hotcell/internal/beneath"
	"hotcell/internal/container"
	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
	"hotcell/internal/wire"
)

// shelf is what a session knows of its output directory from one step to the next. It
// belongs to whoever carries out a step.
type shelf struct {
	look   string             // of the directory when it was judged last
	listed []wire.WrittenFile // by the guard, then
	files  []output.Known     // that were good then: what is the same is not released again
	told   map[string]bool    // paths of files of which it was said that they stay behind
	waits  []wire.WrittenFile // listed by the guard when it was said last that they wait for the end

	released, bytes int64 // by all steps: a file that changes counts each time
}

// errNobodyWaits ends a look at a sandbox that is dead, or at a step that was interrupted.
var errNobodyWaits = errors.New("the sandbox has ended, or the step was interrupted, while its files were checked")

// judgeOutput judges what a step that has completed has left. Nothing of the sandbox runs
// meanwhile: what the guard leaves waits for the next step, and threads and processes of the
// script's do not. Who cancels the step, or the session, does not wait for it: nothing is
// released then.
func (s *Session) judgeOutput(ctx context.Context, step *execution, draft *records.Draft, found *evidence, judged *settled, interrupt <-chan struct{}) (err error) {
	if len(found.report.Files) == 0 { // what is there all the same the session's end refuses
		found.charts, found.violations = s.chartsOfData(found.report)
		return nil
	}
	if !s.hasRoom(step, found.report.Files) {
		s.notYet(found, judged)
		return nil
	}
	reading, cancelled := s.reading(ctx, interrupt)
	held, err := s.sandbox.Hold(context.WithoutCancel(ctx))
	if ctx.Err() != nil || isClosed(interrupt) {
		<-reading.Done() // so that nothing is begun
	}
	ctx = context.WithoutCancel(ctx)
	if err != nil {
		cancelled()
		s.notHeld(err, found, judged)
		return nil
	}
	before := s.shelf
	defer func() { // also when who reads panics: nobody else lets the sandbox go on
		released := held.Release(ctx)
		broken := errors.Is(released, container.ErrHoldBroken)
		if cut := cancelled(); errors.Is(err, errNobodyWaits) && (cut || broken) {
			if err = nil; cut {
				found.stopped = stoppedByCaller
			}
			s.shelf = before
		}
		if broken {
			s.shelf = before
			err = errors.Join(err, s.withdraw(released, found, judged))
			return
		}
		err = errors.Join(err, released)
	}()
	return s.judgeHeld(reading, step, draft, held, found, judged)
}

// reading is the time that may be spent on a step's files: until the sandbox is dead, or the
// caller cancels. cancelled ends it, and tells of the latter.
func (s *Session) reading(ctx context.Context, interrupt <-chan struct{}) (reading context.Context, cancelled func() bool) {
	reading, end := context.WithCancelCause(context.WithoutCancel(ctx))
	cut := make(chan bool, 1)
	go func() {
		cancelled := false
		select {
		case <-ctx.Done(): // and the session with it, as before the step's report
			cancelled = true
			s.end(context.Cause(ctx))
		case <-interrupt:
			cancelled = true
		case <-s.dead:
		case <-reading.Done():
		}
		end(errNobodyWaits)
		cut <- cancelled
	}()
	return reading, func() bool {
		end(nil)
		return <-cut
	}
}

// hasRoom reports whether the steps may still release what the guard lists as new, before
// anything is read: a step that is beyond the session's budget must not cost the host more
// than one within it. What the guard says decides nothing else: take counts what was verified.
// What could not be there, in the directory, is for Verify to refuse.
func (s *Session) hasRoom(step *execution, listed []wire.WrittenFile) bool {
	limits, known := step.terms.Limits, map[string]output.Declared{}
	for _, one := range s.shelf.files {
		known[one.File.Path] = one.Written
	}
	all, news, bytes := int64(0), s.shelf.released, s.shelf.bytes
	for _, file := range listed {
		if file.Bytes < 0 || file.Bytes > limits.OutputBytes-all {
			return true
		}
		all += file.Bytes
		had, there := known[file.Path]
		same := there && had.SHA256 == file.SHA256 && had.Bytes == file.Bytes && had.Role == file.Role
		if same || s.shelf.told[beneath.Escape(file.Path)] || !output.HasType(file.Path, step.terms.Policy.Output.MediaTypes) {
			continue
		}
		news, bytes = news+1, bytes+file.Bytes
	}
	return int64(len(listed)) > limits.OutputFiles || news <= limits.OutputFiles && bytes <= limits.OutputBytes
}

// notYet leaves the files to the session's end, and says so once of the same files.
func (s *Session) notYet(found *evidence, judged *settled) {
	if !slices.Equal(s.shelf.waits, found.report.Files) {
		judged.warnings = []job.Violation{{Rule: output.RuleNotYet, Message: "the steps of this session have released as many files, or bytes, as the session may have (output_files, output_bytes), those that changed each time: " +
			"what this step wrote is released when the session ends"}}
	}
	s.shelf.waits = found.report.Files
	found.charts, found.violations = s.chartsOfData(found.report)
}

// notHeld leaves the files to the session's end.
func (s *Session) notHeld(why error, found *evidence, judged *settled) {
	if !slices.Equal(s.shelf.listed, found.report.Files) {
		judged.warnings = []job.Violation{{Rule: output.RuleNotHeld, Message: cut("the files of this step are checked when the session ends, because nothing of its sandbox may run meanwhile: " + why.Error())}}
	}
	s.shelf.listed = found.report.Files
	found.charts, found.violations = s.chartsOfData(found.report)
}

// withdraw gives up what was read while the sandbox may have run.
func (s *Session) withdraw(why error, found *evidence, judged *settled) error {
	err := closeVerified(judged.verified)
	judged.verified, judged.warnings = nil, nil
	s.shelf.look, s.shelf.listed = "", nil
	s.notHeld(why, found, judged)
	return err
}

// judgeHeld looks at the directory, and verifies it where it has changed.
func (s *Session) judgeHeld(ctx context.Context, step *execution, draft *records.Draft, held *container.Held, found *evidence, judged *settled) error {
	look := output.Look(ctx, held.Output, step.outputRules())
	if look != "" && look == s.shelf.look && slices.Equal(s.shelf.listed, found.report.Files) {
		found.charts, found.violations = step.answers.Check(given(found.report, filesOf(s.shelf.files)), nil)
		return nil
	}
	verified, err := step.verifyOutput(ctx, held.Output, draft, found, s.shelf.files)
	if err != nil {
		return err
	}
	s.shelf.look, s.shelf.listed = look, found.report.Files
	if verified == nil || len(found.violations) > 0 {
		return closeVerified(verified)
	}
	return s.take(step, verified, found, judged)
}

// take puts what was verified on the shelf, and hands out what is new.
func (s *Session) take(step *execution, verified *output.Verified, found *evidence, judged *settled) error {
	news := verified.Files()
	bytes := int64(0)
	for _, file := range news {
		bytes += file.Bytes
	}
	limits := step.terms.Limits
	if s.shelf.released+int64(len(news)) > limits.OutputFiles || s.shelf.bytes+bytes > limits.OutputBytes {
		s.notYet(found, judged)
		return verified.Close()
	}
	if _, found.violations = s.remember(found.charts, found.report.Files); len(found.violations) > 0 {
		return verified.Close()
	}
	s.shelf.released, s.shelf.bytes = s.shelf.released+int64(len(news)), s.shelf.bytes+bytes
	s.shelf.files = verified.Known()
	for _, file := range news { // if it stays behind another time, that is said
		delete(s.shelf.told, beneath.Escape(file.Path))
	}
	slices.SortFunc(s.shelf.files, func(a, b output.Known) int { return cmp.Compare(a.File.Path, b.File.Path) })
	judged.verified, judged.warnings = verified, s.firstTold(verified.Dropped())
	return nil
}

// firstTold leaves out what a step before has said of the same file.
func (s *Session) firstTold(warnings []job.Violation) []job.Violation {
	if s.shelf.told == nil {
		s.shelf.told = map[string]bool{}
	}
	return slices.DeleteFunc(warnings, func(one job.Violation) bool {
		told := s.shelf.told[one.Path]
		s.shelf.told[one.Path] = true
		return told
	})
}

func filesOf(known []output.Known) []job.File {
	files := make([]job.File, len(known))
	for index, one := range known {
		files[index] = one.File
	}
	return files
}

func given(report *wire.Report, earlier []job.File) answer.Given {
	return answer.Given{Result: report.Result, Charts: report.Charts, Earlier: earlier}
}

// chartsOfData releases the charts that are data. Those that are pictures are files, and
// wait for the session's end like them.
func (s *Session) chartsOfData(report *wire.Report) ([]job.Chart, []job.Violation) {
	var claimed []job.File
	for _, file := range report.Files {
		claimed = append(claimed, job.File{Path: file.Path, Role: file.Role})
	}
	charts, violations := s.execution.answers.Check(given(report, claimed), nil)
	if len(violations) > 0 {
		return nil, violations
	}
	return s.remember(charts, report.Files)
}

// remember keeps the paths of the charts that are pictures for the session's own result, and
// returns the others. Those whose files are not there any more make room.
func (s *Session) remember(charts []job.Chart, files []wire.WrittenFile) ([]job.Chart, []job.Violation) {
	s.pictures = listed(s.pictures, files)
	var data []job.Chart
	for _, one := range charts {
		switch {
		case one.Kind == job.ChartPlotly:
			data = append(data, one)
		case slices.Contains(s.pictures, one.Path):
		case beneath.CheckPath(one.Path) != nil || int64(len(s.pictures)) >= s.execution.terms.Limits.OutputFiles:
			// They are kept to the session's end, which could not release them.
			return nil, []job.Violation{{Rule: "output.chart", Message: "a chart names no file that could be released, or the session has more of them than files"}}
		default:
			s.pictures = append(s.pictures, one.Path)
		}
	}
	return data, nil
}

// look has what a step gives out looked at. What is refused of it is released by no step, and
// looked at again at the session's end.
func (s *Session) look(ctx context.Context, step *execution, found *evidence, judged *settled) (err error) {
	if !judged.transcript.began() {
		return nil
	}
	had := judged.verified
	judged.verified, judged.review, err = step.lookAt(context.WithoutCancel(ctx), found, had, judged.transcript)
	if had != nil && judged.verified == nil {
		s.shelf.forget(had.Files())
	}
	return err
}

// forget takes files from the shelf that were not released after all.
func (s *shelf) forget(files []job.File) {
	s.files = slices.DeleteFunc(s.files, func(one output.Known) bool {
		return slices.ContainsFunc(files, func(file job.File) bool { return file.Path == one.File.Path })
	})
	s.look, s.listed = "", nil
}
