package identifiers

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// sign is what a piece of text must have for a pattern to be looked for in it.
type sign uint

const (
	hasAt      sign = 1 << iota // @
	hasWeb                      // :// or www.
	hasDash                     // a digit, a hyphen, a digit
	hasMixed                    // a digit, a hyphen, a letter, or the other way
	hasSlash                    // a digit, a slash, a digit
	hasSpaced                   // a digit, a space, a digit; or a bracket
	hasDots                     // at least three dots that have digits around them
	hasDot                      // two
	hasColons                   // at least two colons
	hasPlus                     // a plus before a digit
	hasLetter                   // three letters in a row, or two before a space
	hasCode                     // nine digits and letters in a row or more, digits among them
	hasCountry                  // two capitals, two digits
	hasPairs                    // five hyphens or colons or more
)

// pattern is one form of a class.
type pattern struct {
	class   Class
	needs   sign     // any of these
	digits  int      // as many at least
	words   []string // any of these, in lower case; nil: none is needed
	match   *regexp.Regexp
	accepts func(found []byte) bool // nil: all
}

const (
	months  = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	century = `(?:18|19|20)\d{2}`
	number  = `(?:[ _-]?(?:id|no|nr|num|number|code))`
	letter  = `\p{L}\p{M}\x{FFFD}` // the last one stands for a byte of another encoding
	value   = `\b[ .:=#]{1,4}[A-Z]{0,4}-?\d[\dA-Z-]{3,}`
)

var monthBegins = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// patterns are the forms that can be told from a text alone. Their regular expressions are of
// RE2: none can take more than linear time.
var patterns = sync.OnceValue(func() []pattern {
	re := regexp.MustCompile
	return []pattern{
		{Email, hasAt, 0, nil, re(`[` + letter + `0-9._%+-]{1,64}@[` + letter + `0-9][` + letter + `0-9-]*(?:\.[` + letter + `0-9-]+)*\.(?:[A-Za-z]{2,24}\b|[^\x00-\x7f]{2,24}|xn--[a-z0-9-]{2,59})`), nil},
		{URL, hasWeb, 0, nil, re(`(?i)\b(?:https?|ftp)://[^\s"<>]{4,}|\bwww\.[a-z0-9-]+\.[a-z]{2,}`), nil},
		{IP, hasDots | hasColons, 0, nil, re(`\b(?:\d{1,3}\.){3}\d{1,3}\b|(?:^|[^0-9A-Za-z:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:$|[^0-9A-Za-z:.])`), isAddress},
		{SSN, hasDash, 9, nil, re(`(?:^|[^0-9-])\d{3}-\d{2}-\d{4}(?:$|[^0-9-])`), isSSN},
		{SSN, hasLetter, 9, []string{"ssn", "social"}, re(`(?i)\b(?:ssn|social security(?: number| no\.?)?)[ .:=#]{1,4}\d{3} ?\d{2} ?\d{4}\b`), isSSN},
		{Phone, hasDash | hasSpaced | hasDot | hasPlus, 10, nil, re(`(?:^|[^0-9.,+-])(?:\+?1[-. ]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?:$|[^0-9.,-])|\+[1-9]\d{0,2}(?:[- .]?\(?\d{2,4}\)?){2,5}\b`), isPhone},
		{Phone, hasLetter, 9, []string{"phone", "tel", "fax", "mobile", "cell"}, re(`(?i)\b(?:phone|telephone|tel|fax|mobile|cell)(?: no\.?| number)?[ .:=#]{1,4}[(+0-9][0-9() .-]{8,18}\d\b`), isPhone},
		{Date, hasDash, 6, nil, re(`\b` + century + `-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?:\b|T)`), nil},
		{Date, hasDash, 6, nil, re(`\b(?:0?[1-9]|[12]\d|3[01])-(?:0?[1-9]|[12]\d|3[01])-` + century + `\b`), nil},
		{Date, hasSlash, 4, nil, re(`\b(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])/(?:` + century + `|\d{2})\b|\b` + century + `/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])\b`), nil},
		{Date, hasDot, 6, nil, re(`\b(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.` + century + `\b`), nil},
		{Date, hasLetter, 4, monthBegins, re(`(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)?[ -]?` + months + `,?|` + months + `\.?(?: \d{1,2}(?:st|nd|rd|th)?,?)?)[ -]?` + century + `\b`), nil},
		{Date, hasMixed, 3, monthBegins, re(`(?i)\b\d{1,2}-` + months + `-\d{2}\b`), nil},
		{Geography, hasLetter, 5, nil, re(`\b[A-Z]{2} \d{5}(?:-\d{4})?\b`), nil},
		{Geography, hasDash, 9, nil, re(`(?:^|[^0-9-])\d{5}-\d{4}(?:$|[^0-9-])`), nil},
		{Geography, hasLetter, 5, []string{"zip", "postal"}, re(`(?i)\b(?:zip|postal)[ _-]?(?:code)?[ :=#]{1,3}\d{5}\b`), nil},
		{Geography, hasLetter, 1, []string{"street", " st", " ave", " road", " rd", "blvd", "boulevard", "lane", " ln", "drive", " dr", "court", " ct", "terrace", " way"}, re(`\b\d{1,5} (?:[NSEW]\.? )?(?:[A-Z][a-z]+ ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Terrace|Way)\b`), nil},
		{MedicalRecord, hasLetter, 4, []string{"mrn", "medical", "patient", "subject", "record", "chart", "hospital", "nhs"}, re(`(?i)\b(?:mrn|medical[ _-]record` + number + `?|(?:patient|subject|record|chart|hospital|nhs)` + number + `)` + value), nil},
		{HealthPlan, hasLetter, 4, []string{"health", "member", "subscriber", "beneficiary", "insurance", "policy", "medicare", "medicaid"}, re(`(?i)\b(?:health[ _-]?plan` + number + `?|(?:member|subscriber|beneficiary|insurance|policy|medicare|medicaid)` + number + `)` + value), nil},
		{HealthPlan, hasCode | hasMixed, 4, nil, re(`\b[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]{2}\d{2}\b`), nil},
		{Account, hasLetter, 4, []string{"account", "acct"}, re(`(?i)\b(?:account|acct)` + number + `?` + value), nil},
		{Account, hasCountry, 10, nil, re(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`), isIBAN},
		{Account, hasCode | hasDash | hasSpaced, 13, nil, re(`\b\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}\b|\b3[47]\d{2}[ -]\d{6}[ -]\d{5}\b|(?:^|[^0-9.])\d{15,16}(?:$|[^0-9.])`), isCard},
		{Licence, hasLetter, 4, []string{"licen", "passport", "certificate", "npi", "dea"}, re(`(?i)\b(?:licen[cs]e|driver'?s licen[cs]e|passport|certificate|npi|dea)` + number + `?` + value), nil},
		{Licence, hasCode, 7, nil, re(`\b[ABFGMPR][A-Z9]\d{7}\b`), isDEA},
		{Vehicle, hasCode, 1, nil, re(`\b[A-HJ-NPR-Z0-9]{17}\b`), isVIN},
		{Vehicle, hasLetter, 1, []string{"plate"}, re(`(?i)\b(?:licen[cs]e |number )plate[ .:=#]{1,4}[A-Z0-9][A-Z0-9 -]{3,8}\b`), nil},
		{Device, hasSpaced | hasCode, 16, nil, re(`\(01\)\d{14}`), isGTIN},
		{Device, hasPairs, 0, nil, re(`\b[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})\b`), nil},
		{Device, hasLetter, 4, []string{"device", "implant", "serial", "imei", "udi"}, re(`(?i)\b(?:(?:device|implant|serial)` + number + `|imei|udi)` + value), nil},
		{Age, hasLetter, 2, []string{"age", "year"}, re(`(?i)\b(?:aged?|years?[ _-]old)[ :=]{1,3}(?:9\d|1[0-2]\d)\b|\b(?:9\d|1[0-2]\d)[ -]years?[ -]old\b`), nil},
		{Name, hasLetter, 0, []string{"mr", "ms", "miss", "dr", "prof", "name"}, re(`\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? [A-Z][a-z]+\b|\b(?i:(?:patient|subject|client)(?:'s)? name|surname|last name|first name|given name)[ :=]{1,3}[A-Z][a-z]+\b`), nil},
	}
})

// Find calls found with the class and the place of everything in a text that has the form of an
// identifier, class by class. Where found returns false, it goes on with the next form. Places are
// those of the text without its signs that nobody sees.
func Find(text []byte, found func(class Class, from, to int) bool) {
	text = Visible(text)
	has, digits := signs(text)
	if has == 0 {
		return
	}
	var lower []byte
	if has&(hasLetter|hasMixed) != 0 {
		lower = bytes.ToLower(text)
	}
	all := patterns()
	for index := range all {
		if each := &all[index]; has&each.needs != 0 && digits >= each.digits && (each.words == nil || containsAny(lower, each.words)) {
			each.find(text, found)
		}
	}
	if has&hasLetter != 0 {
		findNames(text, found)
	}
}

// Visible is a text without signs that nobody sees, such as a space of no width: they part what is
// read as one.
func Visible[T string | []byte](text T) T {
	for at := range len(text) {
		if text[at] >= utf8.RuneSelf { // few texts have one
			return T(strings.Join(strings.FieldsFunc(string(text), func(r rune) bool { return unicode.Is(unicode.Cf, r) }), ""))
		}
	}
	return text
}

// containsAny is why a line of prose costs no search of most forms.
func containsAny(text []byte, words []string) bool {
	for _, word := range words {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

func (p *pattern) find(text []byte, found func(class Class, from, to int) bool) {
	for start := 0; start < len(text); {
		at := p.match.FindIndex(text[start:])
		if at == nil {
			return
		}
		from, to := start+at[0], start+at[1]
		if p.accepts == nil || p.accepts(text[from:to]) {
			class := p.class
			if class == Phone && isFax(text, from, to) {
				class = Fax
			}
			if !found(class, from, to) {
				return
			}
		}
		start = to // every form has at least four bytes
	}
}

// isFax looks for the word in a number and before it.
func isFax(text []byte, from, to int) bool {
	const before = 12
	return bytes.Contains(bytes.ToLower(text[max(0, from-before):to]), []byte("fax"))
}

// signs looks once at each byte: most cells of a table are numbers, in which no form is looked
// for. It counts digits, too.
func signs(text []byte) (has sign, digits int) {
	var s run
	for at, c := range text {
		if isDigit(c) {
			digits++
			if at >= 3 && isDigit(text[at-1]) && isCapital(text[at-2]) && isCapital(text[at-3]) {
				has |= hasCountry
			}
		}
		var before, behind byte
		if at > 0 {
			before = text[at-1]
		}
		if at+1 < len(text) {
			behind = text[at+1]
		}
		has |= s.sign(text[at:], before, c, behind)
	}
	return has, digits
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// run is what signs has seen up to a byte.
type run struct {
	dots, colons, pairs, letters, code int
	digit                              bool // in code
}

func (s *run) sign(rest []byte, before, c, behind byte) (has sign) {
	has = s.word(c, behind)
	if c == '-' || c == ':' {
		if s.pairs++; s.pairs >= 5 {
			has |= hasPairs
		}
	}
	between := isDigit(before) && isDigit(behind)
	switch {
	case c == '@':
		return has | hasAt
	case c == ':':
		return has | s.colon(rest)
	case c|0x20 == 'w':
		if len(rest) > 3 && bytes.EqualFold(rest[:4], []byte("www.")) {
			has |= hasWeb
		}
	case c == '-' && between:
		has |= hasDash
	case c == '-' && (isDigit(before) && isLetter(behind) || isLetter(before) && isDigit(behind)):
		has |= hasMixed
	case c == '/' && between:
		has |= hasSlash
	case c == ' ' && between, c == ')', c == '(':
		has |= hasSpaced
	case c == '+' && isDigit(behind):
		has |= hasPlus
	case c == '.' && between:
		has |= s.dot()
	}
	if !isDigit(c) && c != '.' {
		s.dots = 0
	}
	return has
}

// word counts letters, and letters and digits, in a row.
func (s *run) word(c, behind byte) (has sign) {
	switch {
	case isLetter(c):
		s.letters++
		s.code++
	case isDigit(c):
		s.letters = 0
		s.code++
		s.digit = true
	default:
		*s = run{dots: s.dots, colons: s.colons, pairs: s.pairs}
	}
	if s.letters == 3 || s.letters == 2 && behind == ' ' {
		has |= hasLetter
	}
	if s.code >= 9 && s.digit {
		has |= hasCode
	}
	return has
}

func (s *run) colon(rest []byte) (has sign) {
	if s.colons++; s.colons >= 2 {
		has |= hasColons
	}
	if bytes.HasPrefix(rest, []byte("://")) {
		has |= hasWeb
	}
	return has
}

func (s *run) dot() (has sign) {
	if s.dots++; s.dots >= 2 {
		has |= hasDot
	}
	if s.dots >= 3 {
		has |= hasDots
	}
	return has
}
