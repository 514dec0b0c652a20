package service

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cellar is what is kept, by names.
type cellar struct {
	recent

	now    time.Time
	number int
	there  map[string]int // by owner
}

func newCellar() *cellar {
	return &cellar{recent: recent{age: time.Hour}, now: time.Now(), there: map[string]int{}}
}

func (c *cellar) put(owner string, bytes int64, times int) {
	for range times {
		c.number++
		c.there[owner]++
		c.add(gone{owner, c.now, bytes, func() { c.there[owner]-- }}, c.now)
	}
}

// What one has ended is kept beside what others end, be that many or large, and by many names.
func TestWhoHasTheMostMakesRoom(t *testing.T) {
	for name, bytes := range map[string]int64{"many": 1, "large": 8 << 20} {
		t.Run(name, func(t *testing.T) {
			c := newCellar()
			c.put("bert", 2<<20, 1)
			c.put("anna", bytes, 3*recentMost)
			require.Equal(t, 1, c.there["bert"], "it is the oldest, and of who has the least")
			require.Positive(t, c.there["anna"])
			for n := range 20 {
				c.put(fmt.Sprintf("token:%d", n), bytes, recentMost/2)
			}
			require.Equal(t, 1, c.there["bert"])
			kept := 0
			for _, some := range c.there {
				kept += some
			}
			require.LessOrEqual(t, kept, recentMost)
			require.LessOrEqual(t, c.bytes, int64(recentBytes))
			require.Equal(t, kept, c.count)
		})
	}
}

func TestWhatIsKeptIsForgottenByItsAge(t *testing.T) {
	c := newCellar()
	c.put("anna", 1, 2)
	c.now = c.now.Add(time.Hour + time.Second)
	c.put("bert", 1, 1)
	require.Equal(t, map[string]int{"anna": 0, "bert": 1}, c.there)
	c.drop(c.now.Add(2 * time.Hour))
	require.Zero(t, c.there["bert"])
	require.Zero(t, c.bytes)
	require.Zero(t, c.count)
	require.Empty(t, c.by)
}

// What alone has more than there is room for is not kept.
func TestWhatIsTooLargeIsNotKept(t *testing.T) {
	c := newCellar()
	c.put("bert", 1, 1)
	c.put("anna", recentBytes+1, 1)
	require.Equal(t, map[string]int{"anna": 0, "bert": 1}, c.there)
}
