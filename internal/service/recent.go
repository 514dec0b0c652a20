package service

import "time"

// What is kept in memory of what has ended: of runs together, and of sessions. After that they are
// in their records.
const (
	recentBytes = 64 << 20
	recentMost  = 4096
	recentAge   = 10 * time.Minute
)

// recent is what is in memory that has ended. Where it is too much, the oldest goes of the owner who
// has the most: what one has ended is not forgotten for what others end.
type recent struct {
	age   time.Duration
	by    map[string]*ended
	count int
	bytes int64
}

// ended is one owner's, the oldest first.
type ended struct {
	all   []gone
	bytes int64
}

// gone is a run or session that has ended, and changes no more.
type gone struct {
	owner  string
	at     time.Time
	bytes  int64
	forget func() // it is called once
}

// add keeps one, and drops what is too much.
func (k *recent) add(one gone, now time.Time) {
	if k.by == nil {
		k.by = map[string]*ended{}
	}
	own := k.by[one.owner]
	if own == nil {
		own = new(ended)
		k.by[one.owner] = own
	}
	own.all, own.bytes = append(own.all, one), own.bytes+one.bytes
	k.count, k.bytes = k.count+1, k.bytes+one.bytes
	k.drop(now)
}

func (k *recent) drop(now time.Time) {
	for owner, own := range k.by {
		for len(own.all) > 0 && now.Sub(own.all[0].at) > k.age {
			k.forget(owner)
		}
	}
	for k.bytes > recentBytes {
		k.forget(k.most(func(own *ended) int64 { return own.bytes }))
	}
	for k.count > recentMost {
		k.forget(k.most(func(own *ended) int64 { return int64(len(own.all)) }))
	}
}

// most is the owner who has the most.
func (k *recent) most(of func(*ended) int64) (found string) {
	most := int64(-1)
	for owner, own := range k.by {
		if has := of(own); has > most {
			found, most = owner, has
		}
	}
	return found
}

// forget drops the oldest of an owner's.
func (k *recent) forget(owner string) {
	own := k.by[owner]
	first := own.all[0]
	own.all[0] = gone{}
	own.all, own.bytes = own.all[1:], own.bytes-first.bytes
	k.count, k.bytes = k.count-1, k.bytes-first.bytes
	if len(own.all) == 0 {
		delete(k.by, owner)
	}
	first.forget()
}
