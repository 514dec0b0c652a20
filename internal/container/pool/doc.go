// Package pool keeps sandboxes ready before they are asked for: templates, and of each some
// idle sandboxes whose guards are prepared. It gives each of them out once. Nothing comes
// back: there is no Put.
//
// It decides how many there are, when a template is made, replaced and ended, and what it
// all may hold of the host's memory. It does not decide how a sandbox is isolated
// (container.Spec), nor what a guard prepares (container.Preparation). A request for which
// nothing is ready gets a sandbox that is made for it, as container.Cold makes it, and the
// pool begins to prepare for the next one of its kind, unless all that it may have is kept.
// The runner calls Acquire; begin with New.
package pool
