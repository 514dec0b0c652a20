// Package docs_test runs the pages of docs/policies as they are written.
//
// A page is run from top to bottom in an empty directory, with the runner on the
// PATH and a state of its own that has the image:
//
//   - a fenced block whose info string is a language and a name, such as
//     "python chart.py", is written to a file of that name;
//   - in a block of the language "console" each line that begins with "$ " is a
//     command for bash, and the lines below it are what it prints, on standard
//     output and standard error together.
//
// What differs from run to run is masked on both sides: see masks. With -update
// the pages get the commands' real output instead.
package docs_test
