// Package doctor tells what a host can enforce: control by control, which versions
// it has of what Hotcell relies on, which known-bad ranges these fall in, and what
// to do about each.
//
// It measures nothing on its own: engines probe (container.Host), it reads the
// versions and settings that say what stands behind the controls. It decides
// neither whether a run may start (the engines do, by the policy's optional
// controls) nor whether a distribution has backported a fix: it cannot know, and
// says so. cmd/runner is its caller; begin with Examine.
package doctor
