package disclosure

import (
	"bytes"
	"context"
	"io"
	"net/netip"
	"regexp"
	"strings"
)

// sign is what a piece of text must have for a pattern to be looked for in it.
type sign uint

const (
	hasAt     sign = 1 << iota // @
	hasWeb                     // :// or www.
	hasDash                    // a digit, a hyphen or dash, a digit
	hasSlash                   // a digit, a slash, a digit
	hasSpaced                  // a digit, a space or a bracket, a digit
	hasDots                    // at least three dots that have digits around them
	hasColons                  // at least two colons
	hasPlus                    // a plus before a digit
	hasYear                    // four digits in a row that begin as a year does
	hasFive                    // five digits in a row
	hasDot                     // a digit, a dot, a digit, a dot
	hasWord                    // three letters in a row
	hasState                   // two capitals, a space, a digit
)

// pattern is one class of identifiers of Safe Harbor.
type pattern struct {
	name    string
	needs   sign     // any of these
	words   []string // any of these in lower case, or none where nil
	match   *regexp.Regexp
	accepts func(found string) bool // nil: all
	message string
}

const months = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

var monthBegins = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// patterns are those that can be told from a text alone. Their regular expressions are of RE2:
// none can take more than linear time.
var patterns = []pattern{
	{"email", hasAt, nil, regexp.MustCompile(`[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,24}\b`), nil, "an e-mail address"},
	{"url", hasWeb, nil, regexp.MustCompile(`(?i)\b(?:https?|ftp)://[^\s"<>]{4,}|\bwww\.[a-z0-9-]+\.[a-z]{2,}`), nil, "a web address"},
	{"ip", hasDots | hasColons, nil, regexp.MustCompile(`\b(?:\d{1,3}\.){3}\d{1,3}\b|(?:^|[^0-9A-Za-z:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:$|[^0-9A-Za-z:.])`), isAddress, "an IP address"},
	{"ssn", hasDash, nil, regexp.MustCompile(`(?:^|[^0-9-])\d{3}-\d{2}-\d{4}(?:$|[^0-9-])`), isSSN, "a social security number"},
	{"phone", hasDash | hasSpaced | hasDot | hasPlus, nil, regexp.MustCompile(`(?:^|[^0-9.,+-])(?:\+?1[-. ]?)?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?:$|[^0-9.,-])|\+[1-9]\d{0,2}(?:[- .]?\(?\d{2,4}\)?){2,5}\b`), isPhone, "a telephone or fax number"},
	{"date", hasDash, nil, regexp.MustCompile(`\b(?:18|19|20)\d{2}-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?(?:\b|T)`), nil, dates},
	{"date", hasSlash, nil, regexp.MustCompile(`\b(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|[12]\d|3[01])/(?:(?:18|19|20)\d{2}|\d{2})\b`), nil, dates},
	{"date", hasDot, nil, regexp.MustCompile(`\b(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:18|19|20)\d{2}\b`), nil, dates},
	{"date", hasYear, monthBegins, regexp.MustCompile(`(?i)\b(?:\d{1,2}(?:st|nd|rd|th)?[ -]` + months + `|` + months + `\.?(?: \d{1,2}(?:st|nd|rd|th)?,?)?)[ -](?:18|19|20)\d{2}\b`), nil, dates},
	{"zip", hasState, nil, regexp.MustCompile(`\b[A-Z]{2} \d{5}(?:-\d{4})?\b`), nil, "a postal code"},
	{"zip", hasDash, nil, regexp.MustCompile(`\b\d{5}-\d{4}\b`), nil, "a postal code"},
	{"zip", hasFive, []string{"zip", "postal"}, regexp.MustCompile(`(?i)\b(?:zip|postal)[ _-]?(?:code)?[ :=#]{1,3}\d{5}\b`), nil, "a postal code"},
	{"record_number", hasWord, []string{"mrn", "medical", "patient", "subject", "record", "account", "health", "licen"}, regexp.MustCompile(`(?i)\b(?:mrn|medical[ _-]record|patient[ _-]?(?:id|no|nr|number)|subject[ _-]?(?:id|no|nr|number)|record[ _-]?(?:no|nr|number)|account[ _-]?(?:no|nr|number)|health[ _-]?plan|licen[cs]e[ _-]?(?:no|nr|number))\b[ .:=#]{1,4}[A-Z]{0,4}-?\d[\dA-Z-]{3,}`), nil, "the number of a record, an account or a licence"},
	{"age", hasWord, []string{"age", "year"}, regexp.MustCompile(`(?i)\b(?:aged?|years?[ _-]old)[ :=]{1,3}(?:9\d|1[0-2]\d)\b|\b(?:9\d|1[0-2]\d)[ -]years?[ -]old\b`), nil, "an age of 90 or more"},
}

const dates = "a date finer than a year"

func isAddress(found string) bool {
	found = strings.TrimFunc(found, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF:.", r) })
	address, err := netip.ParseAddr(found)
	return err == nil && (address.Is4() && !strings.HasPrefix(found, "0.") || len(found) > 6 && strings.ContainsAny(found, "0123456789"))
}

// isSSN leaves out what is given to nobody.
func isSSN(found string) bool {
	digits := strings.TrimFunc(found, func(r rune) bool { return r < '0' || r > '9' })
	return digits[:3] != "000" && digits[:3] != "666" && digits[0] != '9' && digits[4:6] != "00" && digits[7:] != "0000"
}

// isPhone wants as many digits as a number has.
func isPhone(found string) bool {
	digits := 0
	for _, r := range found {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return digits >= 10 && digits <= 15
}

// patterns looks for identifiers in a text.
func (l *looker) patterns(_ context.Context, from io.Reader) error {
	return eachPiece(from, func(line int64, piece []byte) {
		has := signs(piece)
		for _, ours := range l.options.Ours {
			piece = bytes.ReplaceAll(piece, []byte(ours), bytes.Repeat([]byte("_"), len(ours)))
		}
		var lower []byte
		for index := range patterns {
			each := &patterns[index]
			if has&each.needs == 0 {
				continue
			}
			if each.words != nil && lower == nil {
				lower = bytes.ToLower(piece)
			}
			if each.words == nil || containsAny(lower, each.words) {
				l.pattern(each, line, piece)
			}
		}
	})
}

func containsAny(text []byte, words []string) bool {
	for _, word := range words {
		if bytes.Contains(text, []byte(word)) {
			return true
		}
	}
	return false
}

func (l *looker) pattern(each *pattern, line int64, piece []byte) {
	times := int64(0)
	for rest := piece; ; {
		at := each.match.FindIndex(rest)
		if at == nil {
			break
		}
		if each.accepts == nil || each.accepts(string(rest[at[0]:at[1]])) {
			times++
		}
		rest = rest[at[1]:]
	}
	if times > 0 {
		l.find(RulePattern+each.name, line, 0, times, "it looks like %s", each.message)
	}
}

// signs looks once at each byte: most lines of a table are numbers, in which no pattern is
// looked for.
func signs(piece []byte) (has sign) {
	dots, colons, digits, letters := 0, 0, 0, 0
	for at, c := range piece {
		if c|0x20 >= 'a' && c|0x20 <= 'z' {
			if letters++; letters == 3 {
				has |= hasWord
			}
		} else {
			letters = 0
		}
		if isDigit(c) {
			if digits++; digits == 5 {
				has |= hasFive
			}
			if digits == 4 && (piece[at-3] == '1' && piece[at-2] >= '8' || piece[at-3] == '2' && piece[at-2] == '0') {
				has |= hasYear
			}
			continue
		}
		before := digits > 0
		digits = 0
		between := before && at+1 < len(piece) && isDigit(piece[at+1])
		has |= signOf(piece, at, before, between)
		switch {
		case c == '.' && between:
			if dots++; dots >= 2 {
				has |= hasDot
			}
			if dots >= 3 {
				has |= hasDots
			}
			continue
		case c == ':':
			if colons++; colons >= 2 {
				has |= hasColons
			}
		}
		if c != '.' {
			dots = 0
		}
	}
	return has
}

// signOf is what one byte that is no digit says by itself: before tells a digit before it,
// between one behind it, too.
func signOf(piece []byte, at int, before, between bool) sign {
	next := at+1 < len(piece) && isDigit(piece[at+1])
	switch c := piece[at]; {
	case c == '@':
		return hasAt
	case c == ':' && bytes.HasPrefix(piece[at:], []byte("://")):
		return hasWeb
	case c|0x20 == 'w' && at+4 < len(piece) && bytes.EqualFold(piece[at:at+4], []byte("www.")):
		return hasWeb
	case c == '-' && between:
		return hasDash
	case c == '/' && between:
		return hasSlash
	case c == ' ' && next && at >= 2 && isCapital(piece[at-1]) && isCapital(piece[at-2]):
		return hasState
	case c == ' ' && between, c == ')' && before:
		return hasSpaced
	case c == '+' && next:
		return hasPlus
	}
	return 0
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
