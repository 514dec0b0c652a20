package pythonanalysis

import "strconv"

// Interpreter is the one program that the image has.
const Interpreter = "/usr/bin/python3"

// Command returns what starts the guard in the image: no user site, no bytecode
// written, no module from the working directory.
func Command() []string { return []string{Interpreter, "-sBP", "-m", "hotcell_guard"} }

// Environment returns all that the guard's process finds in its environment, as
// NAME=value, in a fixed order. scratch is a directory that it may write, and threads
// how many a numerical library may start.
func Environment(scratch string, threads int64) []string {
	most := strconv.FormatInt(threads, 10)
	return []string{
		"PATH=/usr/bin",
		"HOME=" + scratch,
		"TMPDIR=" + scratch,
		"LANG=C.UTF-8",
		"TZ=UTC",
		"PYTHONHASHSEED=0",    // a run can be repeated: sets and dicts iterate alike
		"SOURCE_DATE_EPOCH=0", // and so can its figures: PDF, SVG and PostScript give this date, and not that of the day
		"PYTHONDONTWRITEBYTECODE=1",
		"PYTHONUTF8=1",
		"MPLBACKEND=agg",
		"MPLCONFIGDIR=" + scratch + "/matplotlib",
		// OpenBLAS and OpenMP start a thread per host core, which pids.max would
		// make look like an attack.
		"OPENBLAS_NUM_THREADS=" + most,
		"OMP_NUM_THREADS=" + most,
	}
}
