package identifiers

import (
	"bytes"
	"regexp"
	"sync"
)

// sign is what a piece of text must have for a pattern to be looked for in it.
type sign uint

const (
	hasAt     sign = 1 << iota // @
	hasWeb                     // :// or www.
	hasDash                    // a digit, a hyphen, a digit or a letter, or a letter, a hyphen, a digit
	hasSlash                   // a digit, a slash, a digit
	hasSpaced                  // a digit, a space, a digit; or a bracket
	hasDots                    // at least three dots that have digits around them
	hasDot                     // two
	hasColons                  // at least two colons
	hasPlus                    // a plus before a digit
	hasLetter                  // three letters in a row, or two before a space
	hasCode                    // nine digits and letters in a row or more, digits among them
)

// pattern is one form of a class.
type pattern struct {
	class   Class
	needs   sign // any of these
	match   *regexp.Regexp
	accepts func(found []byte) bool // nil: all
}

const (
	months  = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`
	century = `(?:18|19|20)\d{2}`
	number  = `(?:[ _-]?(?:id|no|nr|num|number|code))`
	value   = `\b[ .:=#]{1,4}[A-Z]{0,4}-?\d[\dA-Z-]{3,}`
)

// patterns are the forms that can be told from a text alone. Their regular expressions are of
// RE2: none can take more than linear time.
var patterns = sync.OnceValue(func() []pattern {
	re := regexp.MustCompile
	return []pattern{
		{Email, hasAt, re(`[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}\b`), nil},
		{URL, hasWeb, re(`(?i)\b(?:https?|ftp)://[^\s"<>]{4,}|\bwww\.[a-z0-9-]+\.[a-z]{2,}`), nil},
		{IP, hasDots | hasColons, re(`\b(?:\d{1,3}\.){3}\d{1,3}\b|(?:^|[^0-9A-Za-z:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:$|[^0-9A-Za-z:.])`), isAddress},
		{SSN, hasDash, re(`(?:^|[^0-9-])\d{3}-\d{2}-\d{4}(?:$|[^0-9-])`), isSSN},
		{SSN, hasLetter, re(`(?i)\b(?:ssn|social security(?: number| no\.?)?)[ .:=#]{1,4}\d{3} ?\d{2} ?\d{4}\b`), isSSN},
		{Phone, hasDash | hasSpaced | hasDot | hasPlus, re(`(?:^|[^0-9.,+-])(?:\+?1[-. ]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?:$|[^0-9.,-])|\+[1-9]\d{0,2}(?:[- .]?\(?\d{2,4}\)?){2,5}\b`), isPhone},
		{Phone, hasLetter, re(`(?i)\b(?:phone|telephone|tel|fax|mobile|cell)(?: no\.?| number)?[ .:=#]{1,4}[(+0-9][0-9() .-]{8,18}\d\b`), isPhone},
		{Date, hasDash, re(`\b` + century + `-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?:\b|T)`), nil},
		{Date, hasDash, re(`\b(?:0?[1-9]|[12]\d|3[01])-(?:0?[1-9]|[12]\d|3[01])-` + century + `\b`), nil},
		{Date, hasSlash, re(`\b(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])/(?:` + century + `|\d{2})\b|\b` + century + `/(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01])\b`), nil},
		{Date, hasDot, re(`\b(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.` + century + `\b`), nil},
		{Date, hasLetter, re(`(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?(?: of)?[ -]?` + months + `,?|` + months + `\.?(?: \d{1,2}(?:st|nd|rd|th)?,?)?)[ -]?` + century + `\b`), nil},
		{Date, hasDash, re(`(?i)\b\d{1,2}-` + months + `-\d{2}\b`), nil},
		{Geography, hasDash | hasLetter, re(`\b[A-Z]{2} \d{5}(?:-\d{4})?\b|(?:^|[^0-9-])\d{5}-\d{4}(?:$|[^0-9-])|(?i:\b(?:zip|postal)[ _-]?(?:code)?[ :=#]{1,3}\d{5}\b)`), nil},
		{Geography, hasLetter, re(`\b\d{1,5} (?:[NSEW]\.? )?(?:[A-Z][a-z]+ ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Terrace|Way)\b`), nil},
		{MedicalRecord, hasLetter, re(`(?i)\b(?:mrn|medical[ _-]record` + number + `?|(?:patient|subject|record|chart|hospital|nhs)` + number + `)` + value), nil},
		{HealthPlan, hasLetter, re(`(?i)\b(?:health[ _-]?plan` + number + `?|(?:member|subscriber|beneficiary|insurance|policy|medicare|medicaid)` + number + `)` + value), nil},
		{HealthPlan, hasCode | hasDash, re(`\b[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]{2}\d{2}\b`), nil},
		{Account, hasLetter, re(`(?i)\b(?:account|acct)` + number + `?` + value), nil},
		{Account, hasCode | hasLetter, re(`\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b`), isIBAN},
		{Account, hasCode | hasDash | hasSpaced, re(`\b\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{4}\b|\b3[47]\d{2}[ -]\d{6}[ -]\d{5}\b|(?:^|[^0-9.])\d{15,16}(?:$|[^0-9.])`), isCard},
		{Licence, hasLetter, re(`(?i)\b(?:licen[cs]e|driver'?s licen[cs]e|passport|certificate|npi|dea)` + number + `?` + value), nil},
		{Licence, hasCode, re(`\b[ABFGMPR][A-Z9]\d{7}\b`), isDEA},
		{Vehicle, hasCode, re(`\b[A-HJ-NPR-Z0-9]{17}\b`), isVIN},
		{Vehicle, hasLetter, re(`(?i)\b(?:licen[cs]e |number )plate[ .:=#]{1,4}[A-Z0-9][A-Z0-9 -]{3,8}\b`), nil},
		{Device, hasSpaced | hasCode, re(`\(01\)\d{14}`), isGTIN},
		{Device, hasColons | hasDash, re(`\b[0-9A-Fa-f]{2}(?:(?::[0-9A-Fa-f]{2}){5}|(?:-[0-9A-Fa-f]{2}){5})\b`), nil},
		{Device, hasLetter, re(`(?i)\b(?:(?:device|implant|serial)` + number + `|imei|udi)` + value), nil},
		{Age, hasLetter, re(`(?i)\b(?:aged?|years?[ _-]old)[ :=]{1,3}(?:9\d|1[0-2]\d)\b|\b(?:9\d|1[0-2]\d)[ -]years?[ -]old\b`), nil},
		{Name, hasLetter, re(`\b(?:Mr|Mrs|Ms|Miss|Dr|Prof)\.? [A-Z][a-z]+\b|\b(?i:(?:patient|subject|client)(?:'s)? name|surname|last name|first name|given name)[ :=]{1,3}[A-Z][a-z]+\b`), nil},
	}
})

// Find calls found with the class and the place of everything in a text that has the form of an
// identifier, class by class. Where found returns false, it goes on with the next form.
func Find(text []byte, found func(class Class, from, to int) bool) {
	has := signs(text)
	if has == 0 {
		return
	}
	all := patterns()
	for index := range all {
		if each := &all[index]; has&each.needs != 0 {
			each.find(text, found)
		}
	}
	if has&hasLetter != 0 {
		findNames(text, found)
	}
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
// for.
func signs(text []byte) (has sign) {
	var s run
	for at, c := range text {
		var before, behind byte
		if at > 0 {
			before = text[at-1]
		}
		if at+1 < len(text) {
			behind = text[at+1]
		}
		has |= s.sign(text[at:], before, c, behind)
	}
	return has
}

// run is what signs has seen up to a byte.
type run struct {
	dots, colons, letters, code int
	digit                       bool // in code
}

func (s *run) sign(rest []byte, before, c, behind byte) (has sign) {
	has = s.word(c, behind)
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
	case c == '-' && (isDigit(before) && (isDigit(behind) || isLetter(behind)) || isLetter(before) && isDigit(behind)):
		has |= hasDash
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
		*s = run{dots: s.dots, colons: s.colons}
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
