package identifiers

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// hint is what a column's name says, and which of its cells then count.
type hint struct {
	class Class
	// names are those of columns, in lower case, their words with one blank between them: a
	// column has one of them if all of its words are in the column's name, in a row.
	names  []string
	counts func(cell []byte, column *hinted) bool // nil: each cell
	weak   bool                                   // it may as well be something else
}

// hinted is what a cell is judged by besides itself.
type hinted struct {
	words []string
	year  int
}

func (h *hinted) has(words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(h.words, word) })
}

// Where one name has two classes, both count.
var hints = []hint{
	{Name, []string{"surname", "lastname", "last name", "lname", "firstname", "first name", "fname", "forename", "given name", "givenname", "family name",
		"familyname", "full name", "fullname", "patient name", "subject name", "maiden", "middle name", "nachname", "vorname", "apellido", "prenom",
		"physician", "doctor name", "provider name", "clinician", "surgeon", "contact name", "guardian", "next of kin", "nok", "employer"}, isWord, false},
	{Name, []string{"name"}, nil, true}, // Column.names judges it by the list
	{Geography, []string{"zip", "zipcode", "zip code", "zip5", "zip9", "postcode", "post code", "postal", "plz"}, isPostal, false},
	{Geography, []string{"address", "addr", "street", "city", "town", "county", "parish", "precinct", "village", "neighborhood", "neighbourhood", "municipality",
		"census tract", "block group", "fips", "geocode", "geohash", "birthplace", "place of birth"}, nil, false},
	{Geography, []string{"latitude", "longitude", "lat", "lon", "lng"}, isFraction, false},
	{Date, []string{"date", "dt", "dob", "dod", "doa", "birth", "birthday", "birthdate", "born", "admission", "admit", "discharge", "death", "visit", "timestamp",
		"datetime", "created", "updated"}, isDatePart, false},
	{Age, []string{"age", "age at", "ageyears", "alter"}, isOldAge, false},
	{Age, []string{"birth year", "year of birth", "yob", "birthyear"}, isOldYear, false},
	{Fax, []string{"fax", "telefax", "fax no"}, isPhoneLike, false},
	{Phone, []string{"phone", "telephone", "tel", "mobile", "cell phone", "cellphone", "pager", "phone number"}, isPhoneLike, false},
	{SSN, []string{"ssn", "social security", "socialsecurity", "soc sec", "tin", "itin", "tax id", "nino", "ssn4"}, isSSNLike, false},
	{MedicalRecord, []string{"mrn", "medical record", "chart no", "chart number", "hospital number", "record number", "nhs number", "nhs no", "accession"}, isCode, false},
	{MedicalRecord, []string{"patient id", "patientid", "patient no", "patient number", "pat id", "pid", "encounter id", "visit id", "csn", "specimen id"}, isRecordLike, true},
	{HealthPlan, []string{"health plan", "beneficiary", "bene id", "member id", "member no", "member number", "memberid", "subscriber", "policy no", "policy number",
		"medicare", "medicaid", "mbi", "hicn", "insurance id", "insurance no", "insurance number", "group number"}, isCode, false},
	{Account, []string{"account", "acct", "iban", "card number", "credit card", "ccn", "routing", "billing id", "invoice no"}, isCode, false},
	{Licence, []string{"license", "licence", "drivers", "dl no", "dea", "npi", "passport", "certificate no", "certificate number"}, isCode, false},
	{Vehicle, []string{"vin", "license plate", "licence plate", "vehicle id", "registration plate"}, hasDigit, false},
	{Device, []string{"udi", "device id", "device serial", "serial no", "serial number", "imei", "mac address", "implant id"}, hasDigit, false},
	{Biometric, []string{"fingerprint", "finger print", "iris", "retina", "voiceprint", "voice print", "face encoding", "faceid"}, nil, true},
	{Photo, []string{"photo", "photograph", "portrait", "selfie", "headshot", "face image"}, nil, false},
	{Other, []string{"national id", "username", "user name", "login", "twitter", "facebook", "instagram", "handle", "employee id", "student id", "voter id"}, nil, false},
}

// wordsOf are the words of a column's name: patientID, Patient_ID and "patient id" have the
// same.
func wordsOf(name string) []string {
	const longest = 256
	if len(name) > longest {
		return nil
	}
	var spaced strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			spaced.WriteByte(' ')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		spaced.WriteRune(r)
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isAbout tells the name of what is known of an identifier, and is none: city_size, account_type.
func (h *hinted) isAbout() bool {
	if len(h.words) < 2 {
		return false
	}
	about := []string{"type", "size", "count", "class", "category", "status", "flag", "level", "population", "density", "consent"}
	return slices.Contains(about, h.words[len(h.words)-1])
}

// hintsOf are those of a column's name.
func hintsOf(name string) ([]*hint, *hinted) {
	of := &hinted{words: wordsOf(name)}
	if of.isAbout() {
		return nil, of
	}
	spaced := " " + strings.Join(of.words, " ") + " "
	var all []*hint
	for index := range hints {
		each := &hints[index]
		if slices.ContainsFunc(each.names, func(name string) bool { return strings.Contains(spaced, " "+name+" ") }) {
			all = append(all, each)
		}
	}
	return all, of
}

func hasDigit(cell []byte, _ *hinted) bool { return bytes.ContainsAny(cell, "0123456789") }

// isFraction is a number of degrees with decimals.
func isFraction(cell []byte, _ *hinted) bool {
	degrees, err := strconv.ParseFloat(string(cell), 64)
	return err == nil && degrees >= -180 && degrees <= 180 && bytes.IndexByte(cell, '.') >= 0
}

// isWord is a text that is no number: M and 1 are codes, not names.
func isWord(cell []byte, _ *hinted) bool {
	letters := 0
	for _, c := range cell {
		if isLetter(c) || c >= 0x80 {
			letters++
		}
		if isDigit(c) {
			return false
		}
	}
	return letters > 1
}

// isPostal is a postal code of more than three digits, of which pandas may have eaten leading
// zeros, or one of the three that stand for too few persons.
func isPostal(cell []byte, _ *hinted) bool {
	cell = bytes.TrimSuffix(cell, []byte(".0"))
	digits := digitsOf(cell)
	if onlyDigits(cell) && len(cell) == 3 {
		return slices.Contains(small, string(cell))
	}
	if len(digits) >= 4 && len(digits) <= 9 {
		return true
	}
	return len(cell) >= 5 && len(cell) <= 10 && len(digits) >= 2 && !bytes.ContainsAny(cell, "*") && !bytes.HasSuffix(bytes.ToLower(cell), []byte("xx"))
}

// small are the postal codes' three digits with 20,000 inhabitants or fewer by the census of
// 2000: the guidance of the Department of Health and Human Services (2012) lists them.
var small = []string{"036", "692", "878", "059", "790", "879", "063", "821", "884", "102", "823", "890", "203", "830", "893", "556", "831"}

// isDatePart is a date that has no form of its own: 20210304, a time in seconds or
// milliseconds, and a month or a day of something that has one date a person.
func isDatePart(cell []byte, column *hinted) bool {
	cell = bytes.TrimSuffix(cell, []byte(".0"))
	if !onlyDigits(cell) {
		return false
	}
	number, err := strconv.ParseInt(string(cell), 10, 64)
	switch {
	case err != nil:
		return false
	case len(cell) == 8:
		year, month, day := number/10000, number/100%100, number%100
		return year >= 1850 && year < 2100 && month >= 1 && month <= 12 && day >= 1 && day <= 31
	case len(cell) == 10, len(cell) == 13:
		return cell[0] == '1'
	case len(cell) <= 2:
		return number >= 1 && number <= 31 && column.has("month", "day", "week") &&
			column.has("birth", "born", "dob", "admission", "admit", "discharge", "death", "dod")
	}
	return false
}

// isOldAge is an age over 89, in the unit that the column's name has.
func isOldAge(cell []byte, column *hinted) bool {
	age, err := strconv.ParseFloat(string(cell), 64)
	if err != nil || column.has("group", "mean", "sd", "std", "stage", "gestational") {
		return false
	}
	switch {
	case column.has("month", "months", "mo"):
		age /= 12
	case column.has("week", "weeks"):
		age /= 52.1786
	case column.has("day", "days"):
		age /= 365.25
	}
	return age >= 90 && age < 130
}

// isOldYear is a year of birth that tells an age over 89.
func isOldYear(cell []byte, column *hinted) bool {
	year, err := strconv.Atoi(string(bytes.TrimSuffix(cell, []byte(".0"))))
	return err == nil && year > 1850 && year <= column.year-90
}

func isPhoneLike(cell []byte, _ *hinted) bool {
	digits := digitsOf(cell)
	return len(digits) >= 7 && len(digits) <= 15
}

// isSSNLike has no hyphens, and may have lost its leading zeros, or all but the last four.
func isSSNLike(cell []byte, _ *hinted) bool {
	digits := digitsOf(bytes.TrimSuffix(cell, []byte(".0")))
	if len(digits) == 9 {
		return isSSN(digits)
	}
	return len(digits) == 4 || len(digits) == 7 || len(digits) == 8
}

// isRecordLike has as many digits in a row as the number of a record. A pseudonym may have as
// many.
func isRecordLike(cell []byte, _ *hinted) bool {
	row := 0
	for _, c := range cell {
		if !isDigit(c) {
			row = 0
			continue
		}
		if row++; row >= 6 {
			return true
		}
	}
	return false
}

// isCode has some digits: account_type = savings has none, and no licence = 1 either.
func isCode(cell []byte, _ *hinted) bool { return len(digitsOf(cell)) >= 4 }
