package prepared

// HoldAtMost has a writer keep fewer bytes in memory than it would.
func (w *Writer) HoldAtMost(bytes int) { w.spool.most = bytes }

// Partition is about how long a part is, in bytes.
const Partition = partBytes

// AllowTexts has a writer keep so many texts in dictionaries.
func (w *Writer) AllowTexts(count int) { w.left.texts = count }
