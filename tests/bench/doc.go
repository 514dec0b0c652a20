// Command bench measures this machine, plain runtimes and Hotcell in one run, and prints
// what it has measured: `make bench` and `make bench-scale`. docs/performance.md explains
// each row.
//
// It decides what is compared with what, and asserts that each run was what its row says:
// it succeeded, and its sandbox was ready or was not. It does not judge a machine: figures
// of two runs are not to be compared, ratios within one are.
//
// Each thing that is measured has a file: floor, machine, cold, plain, peers, warm, session,
// start, sustained, idle; callers, modes, sizes and outputs belong to the scale. Taking
// turns, all of them meet the same machine. A page holds what came of it, and is printed as text
// or written into documents.
package main
