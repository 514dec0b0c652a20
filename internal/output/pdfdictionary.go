package output

// pdfKeys are the entries of dictionaries that drawings and fonts need, as
// matplotlib writes them. No entry that can hold an action, a destination, an
// attached or another file, a form, a name tree or another table of objects is among
// them, so that it does not matter as what a reader takes such a dictionary: what it
// is told by /Type, readers do without.
var pdfKeys = set(
	"Type", "Subtype", "Pages", "Parent", "Kids", "Count", "Resources", "MediaBox", "Contents", "Annots", "Rect", "Group", "ProcSet", "Procsets",
	"Font", "XObject", "ExtGState", "Pattern", "Shading", "CharProcs",
	"BaseFont", "FirstChar", "LastChar", "FontDescriptor", "Name", "FontBBox", "FontMatrix", "Encoding", "Differences", "Widths",
	"CIDSystemInfo", "Registry", "Ordering", "Supplement", "W", "DW", "CIDToGIDMap", "DescendantFonts", "ToUnicode", "FontFile2", "Length1",
	"FontName", "Flags", "Ascent", "Descent", "CapHeight", "XHeight", "ItalicAngle", "StemV", "MaxWidth",
	"CA", "ca", "AIS", "SMask", "S", "BC", "G", "CS", "FormType", "Matrix", "BBox",
	"PatternType", "PaintType", "TilingType", "XStep", "YStep",
	"ShadingType", "BitsPerCoordinate", "BitsPerComponent", "BitsPerFlag", "ColorSpace", "AntiAlias", "Decode",
	"Width", "Height", "Filter", "DecodeParms", "Predictor", "Colors", "Columns", "Length",
	"Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate", "ModDate", "Trapped")

var pdfTrailerKeys = set("Size", "Root", "Info")

// pdfMaps are the entries whose value is a dictionary with names of the writer's
// choosing: of fonts, of pictures, of glyphs.
var pdfMaps = set("Font", "XObject", "ExtGState", "Pattern", "Shading", "CharProcs")

// pdfValues are the entries that have one of these names, directly. Filters other
// than the one of zlib are large readers with flaws of their own (CVE-2021-30860, in
// one for JBIG2).
var pdfValues = map[string]map[string]bool{
	"Type":    set("Catalog", "Pages", "Page", "Annot", "XObject", "Font", "FontDescriptor", "Encoding", "ExtGState", "Mask", "Pattern"),
	"Subtype": set("Text", "Form", "Image", "Type0", "Type1", "Type3", "CIDFontType2"),
	"S":       set("Luminosity", "Transparency"),
	"Filter":  set("FlateDecode"),
}

// pdfDictionary is what was found of one.
type pdfDictionary struct {
	keys     map[string]bool // that it may have; nil for any
	strange  string          // its first entry that is none of them, or has another value
	canBeMap bool            // every value is a reference, or a dictionary of pdfKeys
	hasMap   bool            // as an entry: such a dictionary is no map itself
	size     int64
	length   int64 // -1 without one
	lengthIn int64 // the object that has it
}

func (d *pdfDictionary) refused() error {
	return found(RuleActiveContent, "it has the entry %s, or a value of it, that no drawing needs: a released document must not act when it is opened", showName(d.strange))
}

// dictionary reads what follows "<<".
func (p *pdfObjects) dictionary(d *pdfDictionary, depth int) error {
	if depth > maxPDFNesting {
		return found(RuleTooComplex, "it is nested deeper than %d levels", maxPDFNesting)
	}
	d.length, d.canBeMap = -1, true
	names := map[string]bool{}
	for {
		if err := p.space(); err != nil {
			return err
		}
		if start, err := p.reader.Peek(2); err == nil && string(start) == ">>" {
			return p.pass(2)
		}
		key, err := p.name()
		if err != nil {
			return err
		}
		if names[key] || len(names) == maxPDFKeys {
			return p.broken("a dictionary has an entry twice, or too many of them")
		}
		names[key] = true
		d.hasMap = d.hasMap || pdfMaps[key]
		if d.keys != nil && !d.keys[key] && d.strange == "" {
			d.strange = key
		}
		if err := p.entry(d, key, depth); err != nil {
			return err
		}
	}
}

// entry reads the value of key.
func (p *pdfObjects) entry(d *pdfDictionary, key string, depth int) error {
	if err := p.space(); err != nil {
		return err
	}
	start, err := p.reader.Peek(2)
	if err != nil {
		return p.ended(err)
	}
	strange := func() {
		if d.strange == "" {
			d.strange = key
		}
	}
	switch {
	case string(start) == "<<":
		if err := p.pass(2); err != nil {
			return err
		}
		inner := pdfDictionary{keys: pdfKeys}
		if pdfMaps[key] && d.keys != nil {
			inner.keys = nil
		}
		if err := p.dictionary(&inner, depth+1); err != nil {
			return err
		}
		if inner.strange != "" || inner.keys == nil && !inner.canBeMap {
			inner.strange = key
			return inner.refused()
		}
		if pdfValues[key] != nil {
			strange()
		}
		return nil
	case start[0] == '/':
		d.canBeMap = false
		name, err := p.name()
		if allowed := pdfValues[key]; allowed != nil && !allowed[name] {
			strange()
		}
		return err
	case start[0] < '0' || start[0] > '9':
		d.canBeMap = false
		if pdfValues[key] != nil {
			strange()
		}
		return p.value(key, depth+1)
	}
	return p.number(d, key, strange)
}

// number reads an integer, a real number, or a reference.
func (p *pdfObjects) number(d *pdfDictionary, key string, strange func()) error {
	if pdfValues[key] != nil {
		strange()
	}
	number, plain, err := p.digits()
	if err != nil {
		return err
	}
	if err := p.space(); err != nil {
		return err
	}
	next, err := p.reader.Peek(1)
	if err != nil {
		return p.ended(err)
	}
	if plain && next[0] >= '0' && next[0] <= '9' {
		if err := p.words("0", "R"); err != nil {
			return err
		}
		if key == "Length" {
			d.lengthIn = number
		}
		return p.refer(number, pdfMaps[key] && d.keys != nil)
	}
	d.canBeMap = false
	switch {
	case key == "Length" && plain:
		d.length = number
	case key == "Size" && plain:
		d.size = number
	}
	return nil
}

func (p *pdfObjects) refer(object int64, asMap bool) error {
	if object < 1 || object >= int64(len(p.offsets)) {
		return p.broken("it refers to an object that it has not")
	}
	if asMap {
		p.asMap[object] = true
	} else {
		p.plainly[object] = true
	}
	return nil
}
