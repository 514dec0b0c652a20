package service

// BoundDisk lets the database have so many pages, as a disk does that is full.
func (s *Broker) BoundDisk(pages int) error { return s.store.Bound(pages) }
