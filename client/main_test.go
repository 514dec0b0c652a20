package client

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain asks at the end what still runs.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
