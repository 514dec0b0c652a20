package httpapi

// AnswersHeld is what the answers have that are being written.
func (d *Door) AnswersHeld() int64 { return d.texts.bytes.Taken() }
