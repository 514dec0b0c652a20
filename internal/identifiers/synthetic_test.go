package identifiers_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"hotcell/internal/identifiers"
)

// kind is a kind of column, of which the test set has several under different names.
type kind struct {
	class identifiers.Class // "" for one that identifies nobody
	names []string          // of columns
	cell  func(r *rand.Rand) string
}

func digits(r *rand.Rand, count int) string {
	text := make([]byte, count)
	for at := range text {
		text[at] = byte('0' + r.IntN(10))
	}
	return string(text)
}

func pick(r *rand.Rand, all ...string) string { return all[r.IntN(len(all))] }

func listed(words string) func(r *rand.Rand) string {
	all := strings.Split(words, "|")
	return func(r *rand.Rand) string { return pick(r, all...) }
}

func between(low, high int) func(r *rand.Rand) string {
	return func(r *rand.Rand) string { return strconv.Itoa(low + r.IntN(high-low+1)) }
}

func format(pattern string, values ...func(r *rand.Rand) string) func(r *rand.Rand) string {
	return func(r *rand.Rand) string {
		made := make([]any, len(values))
		for at, each := range values {
			made[at] = each(r)
		}
		return fmt.Sprintf(pattern, made...)
	}
}

func some(count int) func(r *rand.Rand) string {
	return func(r *rand.Rand) string { return digits(r, count) }
}

func two(low, high int) func(r *rand.Rand) string {
	return func(r *rand.Rand) string { return fmt.Sprintf("%02d", low+r.IntN(high-low+1)) }
}

// withCheck tries last digits until one is right.
func withCheck(draw func(r *rand.Rand) string, right func(text string) bool) func(r *rand.Rand) string {
	return func(r *rand.Rand) string {
		for {
			if text := draw(r); right(text) {
				return text
			}
		}
	}
}

func sumLuhn(text string) bool {
	sum := 0
	for place := range text {
		digit := int(text[len(text)-1-place] - '0')
		if place%2 == 1 {
			digit = digit*2/10 + digit*2%10
		}
		sum += digit
	}
	return sum%10 == 0
}

var (
	given    = listed("James|Mary|Wei|Fatima|Olu|José|Ingrid|Ravi|Anna|Kwame|Siobhan|Peter|Linh|Dmitri|Aisha|Carlos|Emma|Yuki|Thomas|Grzegorz|Zsófia|Helen|Mateus|Ngozi|Patrick")
	surnames = listed("Smith|Nguyen|Kowalczyk|Garcia|O'Brien|Müller|Okonkwo|Patel|Johnson|Tanaka|Rossi|Haddad|Svensson|Lee|Mbeki|Walsh|Fernandez|Ivanova|Brown|Adeyemi|Clark|Dubois|Kaplan|Yilmaz|Young")
	years    = between(1935, 2023)
	month    = two(1, 12)
	day      = two(1, 28)
	shortMon = listed("Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec")
	area     = between(201, 989)
)

var kinds = []kind{
	{identifiers.Name, []string{"surname", "last_name", "LNAME", "PatientLastName", "nachname"}, surnames},
	{identifiers.Name, []string{"first_name", "forename", "vorname"}, given},
	{identifiers.Name, []string{"name", "who", "x3", "label"}, format("%s %s", given, surnames)},
	{identifiers.Name, []string{"subject", "entered_by"}, format("%s, %s", surnames, given)},
	{identifiers.Name, []string{"comment", "note"}, format("Seen by Dr. %s, stable", surnames)},
	{identifiers.Geography, []string{"zip", "ZIP_Code", "postal_code", "patientZip", "zipcode"}, some(5)},
	{identifiers.Geography, []string{"zip4", "where"}, format("%s-%s", some(5), some(4))},
	{identifiers.Geography, []string{"address", "street", "home_address", "v7"}, format("%s %s", between(1, 9999), listed("Main Street|Oak Ave|Washington Blvd|Elm St|Lake Road|Maple Drive"))},
	{identifiers.Geography, []string{"city", "Town", "county", "residence"}, listed("Boston|Springfield|Leeds|Cook|Suffolk|Dane|Ulm|Salem|Aurora|Troy")},
	{identifiers.Geography, []string{"lat", "longitude"}, format("4%s.%s", some(1), some(5))},
	{identifiers.Date, []string{"dob", "visit_date", "t", "admitted"}, format("%s-%s-%s", years, month, day)},
	{identifiers.Date, []string{"date", "when"}, format("%s/%s/%s", month, day, years)},
	{identifiers.Date, []string{"v2", "event"}, format("%s%s%s", day, listed("JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC"), years)},
	{identifiers.Date, []string{"d", "lab"}, format("%s.%s.%s", day, month, years)},
	{identifiers.Date, []string{"start", "taken"}, format("%s-%s-%sT%s:%s:00Z", years, month, day, two(0, 23), two(0, 59))},
	{identifiers.Date, []string{"birth_date", "DischargeDate", "c4"}, format("%s%s%s", years, month, day)},
	{identifiers.Date, []string{"visit", "oracle"}, format("%s-%s-%s", day, shortMon, two(10, 24))},
	{identifiers.Date, []string{"created", "event_timestamp", "ts"}, format("1%s", some(9))},
	{identifiers.Date, []string{"birth_month"}, between(1, 12)},
	{identifiers.Date, []string{"remark", "free_text"}, format("Admitted %s %s, %s with pain", shortMon, day, years)},
	{identifiers.Age, []string{"age", "age_at_visit", "AGE"}, between(40, 99)},
	{identifiers.Age, []string{"age_months"}, between(600, 1200)},
	{identifiers.Age, []string{"birth_year"}, between(1925, 2000)},
	{identifiers.Age, []string{"summary"}, format("%s year old with fever", between(90, 101))},
	{identifiers.Phone, []string{"phone", "contact", "x9"}, format("(%s) %s-%s", area, area, some(4))},
	{identifiers.Phone, []string{"cell_phone", "tel", "q"}, format("%s-%s-%s", area, area, some(4))},
	{identifiers.Phone, []string{"mobile", "telephone"}, format("%s%s%s", area, area, some(4))},
	{identifiers.Phone, []string{"intl", "phone2"}, format("+44 20 %s %s", some(4), some(4))},
	{identifiers.Fax, []string{"fax", "fax_no"}, format("%s-%s-%s", area, area, some(4))},
	{identifiers.Email, []string{"email", "contact", "c1"}, format("%s.%s@example.org", listed("jane|j|p.q"), some(3))},
	{identifiers.SSN, []string{"ssn", "id", "k"}, format("%s-%s-%s", between(100, 665), two(1, 99), between(1000, 9999))},
	{identifiers.SSN, []string{"SSN", "social_security_no"}, format("%s%s%s", between(100, 665), two(1, 99), between(1000, 9999))},
	{identifiers.MedicalRecord, []string{"mrn", "MRN_number", "medical_record_no", "hospitalNumber"}, some(8)},
	{identifiers.MedicalRecord, []string{"patient_id", "pid"}, some(7)},
	{identifiers.MedicalRecord, []string{"note", "text"}, format("MRN: %s transferred", some(7))},
	{identifiers.HealthPlan, []string{"member_id", "beneficiary", "insurance_no"}, format("W%s", some(9))},
	{identifiers.HealthPlan, []string{"mbi", "a"}, format("%sEG4-TE%s-MK%s", between(1, 9), some(1), some(2))},
	{identifiers.Account, []string{"account_no", "acct"}, some(10)},
	{identifiers.Account, []string{"card", "paid_with"}, withCheck(format("4%s", some(15)), sumLuhn)},
	{identifiers.Licence, []string{"driver_license", "licence_no", "passport"}, format("D%s", some(8))},
	{identifiers.Licence, []string{"npi", "provider_npi"}, some(10)},
	{identifiers.Vehicle, []string{"vin", "c5"}, listed("1M8GDM9AXKP042788|5GZCZ43D13S812715|1HGCM82633A004352|11111111111111111A|JH4TB2H26CC000000")},
	{identifiers.Vehicle, []string{"license_plate"}, format("ABC %s", some(4))},
	{identifiers.Device, []string{"serial_number", "device_id", "pump_serial_no"}, format("SN%s", some(8))},
	{identifiers.Device, []string{"mac", "hw"}, format("00:1a:%s:%s:%s:3f", two(10, 99), two(10, 99), two(10, 99))},
	{identifiers.URL, []string{"link", "x"}, format("https://portal.example.org/p/%s", some(5))},
	{identifiers.IP, []string{"ip", "source"}, format("192.168.%s.%s", between(0, 255), between(1, 254))},
	{identifiers.IP, []string{"host"}, format("2001:db8::%s:%s", some(4), some(4))},
	{identifiers.Biometric, []string{"fingerprint_template", "iris_code"}, some(30)},
	{identifiers.Photo, []string{"photo", "portrait_file"}, format("p%s.jpg", some(4))},
	{identifiers.Other, []string{"username", "twitter", "employee_id"}, format("user%s", some(4))},
}

var harmless = []kind{
	{"", []string{"id", "subject_id", "patient", "usubjid"}, format("P-%s", some(4))},
	{"", []string{"patient_id", "pid"}, between(1, 2000)},
	{"", []string{"age", "age_group", "age_at_onset"}, between(18, 89)},
	{"", []string{"age_band"}, listed("18-29|30-39|40-49|50-59|60-69|70-79|80-89|90+")},
	{"", []string{"sex", "gender"}, listed("M|F|U")},
	{"", []string{"race", "ethnicity"}, listed("White|Black|Asian|Other|American Indian|Native Hawaiian|Hispanic|Unknown")},
	{"", []string{"state", "region"}, listed("MA|NY|CA|TX|WA|IL|OH|GA|NC|VA|Georgia|Virginia")},
	{"", []string{"country", "nation"}, listed("NA|DE|FR|GB|Jordan|Chad|Israel|Kenya")},
	{"", []string{"year", "birth_year", "death_year"}, between(1950, 2024)},
	{"", []string{"zip3", "postal3"}, listed("021|100|606|941|303|770")},
	{"", []string{"days_since_admission", "visit_day", "followup"}, between(-30, 900)},
	{"", []string{"visit", "visit_no", "event"}, between(1, 12)},
	{"", []string{"systolic", "sbp", "heart_rate"}, between(60, 180)},
	{"", []string{"bp", "blood_pressure"}, format("%s/%s", between(90, 180), between(50, 99))},
	{"", []string{"glucose", "crp", "hba1c", "cost"}, format("%s.%s", between(0, 300), some(2))},
	{"", []string{"p_value", "beta", "ci"}, format("0.%s (0.%s-0.%s)", some(3), some(2), some(2))},
	{"", []string{"icd10", "diagnosis", "dx"}, listed("E11.9|I10|J45.909|C50.911|F32.1|Z79.4|S72.001A|N18.3")},
	{"", []string{"atc", "drug_code"}, listed("A10BA02|C09AA05|N02BE01|J01CA04|L01XC03")},
	{"", []string{"loinc", "test_code"}, listed("2345-7|718-7|4548-4|2160-0|33914-3|13457-7")},
	{"", []string{"snomed", "concept"}, listed("73211009|38341003|195967001|254837009|44054006")},
	{"", []string{"ndc"}, format("%s-%s-%s", some(5), some(4), some(2))},
	{"", []string{"drug_name", "name", "medication"}, listed("Metformin|Lisinopril|Aspirin|Insulin glargine|Atorvastatin|Amoxicillin|Warfarin|Ibuprofen")},
	{"", []string{"dose", "strength"}, format("%s mg", between(5, 500))},
	{"", []string{"gene", "variant"}, listed("TP53|BRCA1|EGFR|KRAS|JAK2|MYC|ROS1|ALK|HER2|PTEN")},
	{"", []string{"hgvs"}, format("c.%sA>G", between(1, 3000))},
	{"", []string{"rsid", "snp"}, format("rs%s", some(7))},
	{"", []string{"version", "software"}, format("%s.%s.%s", between(0, 9), between(0, 20), between(0, 20))},
	{"", []string{"time", "clock"}, format("%s:%s:%s", two(0, 23), two(0, 59), two(0, 59))},
	{"", []string{"ratio", "score"}, format("%s/10", between(0, 10))},
	{"", []string{"steps", "population", "reads"}, between(100000, 99999999)},
	{"", []string{"uuid", "sample"}, format("%s-4f2a-4b1c-9d3e-aa%s", some(8), some(10))},
	{"", []string{"hash", "pseudonym"}, format("%sab%scd%sef", some(9), some(9), some(9))},
	{"", []string{"coord", "position"}, format("chr%s:%s-%s", between(1, 22), some(7), some(7))},
	{"", []string{"outcome", "dead", "death"}, between(0, 1)},
	{"", []string{"birth_weight", "weight_at_birth"}, between(1500, 4800)},
	{"", []string{"account_type", "license_held", "insurance_type"}, listed("savings|current|none|yes|no|private")},
	{"", []string{"comment", "finding"}, listed("No acute distress|Pain in left knee|Follow up in two weeks|Stage III, grade 2|Denies chest pain|Hodgkin lymphoma|Parkinson disease|Graves disease")},
	{"", []string{"colour", "stain"}, listed("White|Brown|Green|Gray|Black|Rose|Amber|Ruby|Olive")},
	{"", []string{"month", "season"}, listed("January|February|March|April|May|June|Summer|Autumn")},
	{"", []string{"site", "hospital"}, listed("Site 01|Site 02|Site 03|Centre 4")},
	{"", []string{"weight", "exp"}, format("%s.%se-05", some(1), some(3))},
	{"", []string{"email_consent", "phone_consent", "has_fax"}, listed("yes|no")},
	{"", []string{"lot", "batch"}, format("LX%s", some(4))},
	{"", []string{"barcode", "accession_count"}, between(1, 99)},
	{"", []string{"organism", "species"}, listed("Escherichia coli|Homo sapiens|Mus musculus|Candida albicans|Salmonella enterica")},
	{"", []string{"gi_tract", "city_size", "county_type"}, listed("upper|lower|none|rural")},
}
