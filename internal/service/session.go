package service

// session placeholder
type session struct{}

func (s *session) end(why string) {}
