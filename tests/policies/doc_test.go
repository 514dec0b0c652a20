// Package policies_test runs, through the real command in real sandboxes, every
// feature that the built-in policies promise: a table for each policy, named by
// feature, as the pages of docs/policies list them.
//
// It decides nothing about isolation (tests/security). It needs root and the image
// (`make image`); with HOTCELL_REQUIRE_ALL=1 the lack of one is a failure.
package policies_test
