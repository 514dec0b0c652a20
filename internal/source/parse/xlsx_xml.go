package parse

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
)

// The namespaces of what a workbook says: of ECMA-376's transitional form and of its strict one.
var (
	mainNames     = []string{"http://schemas.openxmlformats.org/spreadsheetml/2006/main", "http://purl.oclc.org/ooxml/spreadsheetml/main"}
	relationNames = []string{"http://schemas.openxmlformats.org/package/2006/relationships"}
	idNames       = []string{"http://schemas.openxmlformats.org/officeDocument/2006/relationships", "http://purl.oclc.org/ooxml/officeDocument/relationships"}
)

// once are elements of which there is one in a part: of two, programs take one or the other.
var once = []string{"sheetData", "workbookPr", "sheets", "cellXfs", "numFmts"}

// plainXML has the elements of a part by their own names only where these are of a workbook, and
// no other attributes: encoding/xml compares names without their namespace, and takes an
// attribute that is there twice.
type plainXML struct {
	from *xml.Decoder
	seen []string
}

func newXML(from io.Reader) *xml.Decoder {
	return xml.NewTokenDecoder(&plainXML{from: xml.NewDecoder(from)})
}

// Token implements xml.TokenReader.
func (p *plainXML) Token() (xml.Token, error) {
	token, err := p.from.Token()
	if err != nil {
		return nil, err
	}
	switch one := token.(type) {
	case xml.StartElement:
		one.Name = plain(one.Name)
		return p.start(one)
	case xml.EndElement:
		one.Name = plain(one.Name)
		return one, nil
	}
	return token, nil
}

func plain(name xml.Name) xml.Name {
	if slices.Contains(mainNames, name.Space) || slices.Contains(relationNames, name.Space) {
		return xml.Name{Local: name.Local}
	}
	return xml.Name{Local: name.Local + " of another namespace"}
}

func (p *plainXML) start(one xml.StartElement) (xml.Token, error) {
	if name := one.Name.Local; slices.Contains(once, name) {
		if slices.Contains(p.seen, name) {
			return nil, fmt.Errorf("it has the element %q twice", name)
		}
		p.seen = append(p.seen, name)
	}
	var kept []xml.Attr
	for _, each := range one.Attr {
		if each.Name.Space != "" && !slices.Contains(idNames, each.Name.Space) || each.Name.Local == "xmlns" {
			continue
		}
		if slices.ContainsFunc(kept, func(earlier xml.Attr) bool { return earlier.Name.Local == each.Name.Local }) {
			return nil, fmt.Errorf("an element has the attribute %.20q twice", each.Name.Local)
		}
		each.Name.Space = ""
		kept = append(kept, each)
	}
	one.Attr = kept
	return one, nil
}
