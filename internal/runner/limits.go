package runner

import (
	"context"
	"errors"
	"os"

	"hotcell/internal/beneath"
	"hotcell/internal/job"
	"hotcell/internal/output"
)

// pageBytes is what a file system on tmpfs hands out at a time.
const pageBytes = 4096

// fullLimit is the limit of the output's file system that is used up, its bytes or its inodes,
// or "".
func fullLimit(ctx context.Context, dir *os.Root, limits job.Limits) (job.Limit, error) {
	var pages, entries int64
	bounds := beneath.Extent{Entries: int(limits.OutputFiles), Depth: quarantineDepth}
	err := beneath.Walk(ctx, dir, bounds, func(node *beneath.Node) error {
		entries++
		if node.Kind == beneath.Regular {
			pages += (node.Bytes + pageBytes - 1) / pageBytes
		}
		return nil
	})
	switch {
	case errors.Is(err, beneath.ErrTooMany):
		return job.LimitOutputFiles, nil
	case err != nil:
		return "", err
	case entries >= limits.OutputFiles:
		return job.LimitOutputFiles, nil
	case (pages+1)*pageBytes > limits.OutputBytes:
		return job.LimitOutputBytes, nil
	default:
		return "", nil
	}
}

// onlyLimit returns the limit that every violation is about, or "". What is too large
// in a file by itself, a picture's pixels say, is no limit of the policy's.
func onlyLimit(violations []job.Violation) job.Limit {
	limits := map[job.Violation]job.Limit{
		{Rule: output.RuleTooManyFiles}: job.LimitOutputFiles,
		{Rule: output.RuleTooLarge}:     job.LimitOutputBytes,
	}
	limitOf := func(v job.Violation) job.Limit { return limits[job.Violation{Rule: v.Rule, Path: v.Path}] }
	first := limitOf(violations[0])
	for _, violation := range violations {
		if limitOf(violation) != first {
			return ""
		}
	}
	return first
}
