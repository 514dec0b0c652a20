package tool

import "os"

// ownExecutable is the file that this process runs, even if its name is gone.
func ownExecutable() (os.FileInfo, error) { return os.Stat("/proc/self/exe") }
