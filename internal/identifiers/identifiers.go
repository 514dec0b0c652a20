// Package identifiers finds what identifies a person in texts and in columns of tables, by the
// eighteen classes of the Safe Harbor method (45 CFR 164.514(b)(2)(i)).
//
// It decides by the form of a value, its check digit where it has one, the name of its column,
// and a list of frequent names of persons. It does not decide whether data is de-identified:
// what has no such form (a nickname, a rare surname, a story that only one person can have
// lived) it does not see, and docs/scan.md says how much it finds and how often it is wrong.
// internal/scan calls it for files, internal/disclosure for what a run gives out.
//
// What it reads is hostile. Each function reads a text once for each class, in time that is
// linear in its length: the regular expressions are RE2.
package identifiers

// Class is a class of identifiers.
type Class string

// The classes, in the order of the law. Age belongs to the law's dates.
const (
	Name          Class = "name"           // (A)
	Geography     Class = "geography"      // (B) smaller than a state; of a postal code, finer than three digits
	Date          Class = "date"           // (C) finer than a year
	Age           Class = "age"            // (C) over 89, or a year that tells it
	Phone         Class = "phone"          // (D)
	Fax           Class = "fax"            // (E)
	Email         Class = "email"          // (F)
	SSN           Class = "ssn"            // (G)
	MedicalRecord Class = "medical_record" // (H)
	HealthPlan    Class = "health_plan"    // (I)
	Account       Class = "account"        // (J)
	Licence       Class = "licence"        // (K) and certificates
	Vehicle       Class = "vehicle"        // (L) and plates
	Device        Class = "device"         // (M) and serial numbers
	URL           Class = "url"            // (N)
	IP            Class = "ip"             // (O)
	Biometric     Class = "biometric"      // (P)
	Photo         Class = "photo"          // (Q)
	Other         Class = "other"          // (R) any other unique number, characteristic or code
)

// Info is what a class is called.
type Info struct {
	Class  Class
	Letter string // in 45 CFR 164.514(b)(2)(i)
	Title  string
	One    string // of the class, with its article
}

// Classes are all, in the order of the law.
func Classes() []Info {
	return []Info{
		{Name, "A", "names", "a name"},
		{Geography, "B", "places smaller than a state, postal codes finer than three digits", "a place smaller than a state, or a postal code"},
		{Date, "C", "dates finer than a year", "a date finer than a year"},
		{Age, "C", "ages over 89", "an age of 90 or more"},
		{Phone, "D", "telephone numbers", "a telephone number"},
		{Fax, "E", "fax numbers", "a fax number"},
		{Email, "F", "e-mail addresses", "an e-mail address"},
		{SSN, "G", "social security numbers", "a social security number"},
		{MedicalRecord, "H", "medical record numbers", "the number of a medical record"},
		{HealthPlan, "I", "health plan beneficiary numbers", "the number of a health plan"},
		{Account, "J", "account numbers", "the number of an account"},
		{Licence, "K", "certificate and licence numbers", "the number of a licence"},
		{Vehicle, "L", "vehicle identifiers and plates", "a vehicle"},
		{Device, "M", "device identifiers and serial numbers", "a device"},
		{URL, "N", "web addresses", "a web address"},
		{IP, "O", "IP addresses", "an IP address"},
		{Biometric, "P", "biometric identifiers", "a biometric identifier"},
		{Photo, "Q", "photographs of faces", "a photograph"},
		{Other, "R", "any other unique number or code", "another unique number"},
	}
}

// InfoOf is what is known of a class.
func InfoOf(class Class) Info {
	for _, each := range Classes() {
		if each.Class == class {
			return each
		}
	}
	return Info{Class: class}
}

// Shape is a text with each digit as #, each letter as x or X, and all else as it is, for
// people who are not to see the text.
func Shape(text string) string {
	const longest = 40
	shape := make([]rune, 0, longest)
	for _, r := range text {
		if len(shape) == longest {
			return string(append(shape, '…'))
		}
		shape = append(shape, mask(r))
	}
	return string(shape)
}

func mask(r rune) rune {
	switch {
	case r >= '0' && r <= '9':
		return '#'
	case r >= 'A' && r <= 'Z':
		return 'X'
	case r >= 'a' && r <= 'z', r >= 0x80: // whatever it is: it may be a letter or a digit
		return 'x'
	case r < ' ' || r == 0x7f:
		return ' '
	}
	return r
}
