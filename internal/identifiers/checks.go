package identifiers

import (
	"bytes"
	"net/netip"
	"strings"
)

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// digitsOf are the digits of a text, at most 40 of them.
func digitsOf(text []byte) []byte {
	const most = 40
	digits := make([]byte, 0, most)
	for _, c := range text {
		if isDigit(c) && len(digits) < most {
			digits = append(digits, c)
		}
	}
	return digits
}

func onlyDigits(text []byte) bool {
	for _, c := range text {
		if !isDigit(c) {
			return false
		}
	}
	return len(text) > 0
}

// luhn is the check of ISO/IEC 7812-1, of payment cards among others.
func luhn(digits []byte) bool {
	sum := 0
	for place := range digits {
		digit := int(digits[len(digits)-1-place] - '0')
		if place%2 == 1 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return len(digits) > 1 && sum%10 == 0
}

// isDEA is a registration of the Drug Enforcement Administration.
func isDEA(text []byte) bool {
	digits := digitsOf(text)
	if len(digits) < 7 {
		return false
	}
	digits = digits[len(digits)-7:]
	at := func(place int) int { return int(digits[place] - '0') }
	return (at(0)+at(2)+at(4)+2*(at(1)+at(3)+at(5)))%10 == at(6)
}

// isCard is the number of a payment card: its issuer's first digits, its length, its check.
func isCard(text []byte) bool {
	digits := digitsOf(text)
	two := string(digits[:min(2, len(digits))])
	switch {
	case len(digits) == 15:
		return (two == "34" || two == "37") && luhn(digits)
	case len(digits) != 16 && (len(digits) != 13 || digits[0] != '4'):
		return false
	case digits[0] == '4', two >= "51" && two <= "55", two >= "22" && two <= "27", two == "35", two == "60", two >= "64" && two <= "65":
		return luhn(digits) && bytes.Count(digits, digits[:1]) < len(digits)
	}
	return false
}

// isIBAN is an account of ISO 13616: its check is modulo 97.
func isIBAN(text []byte) bool {
	joined := make([]byte, 0, 34)
	for _, c := range bytes.ToUpper(text) {
		if !isDigit(c) && !isLetter(c) {
			continue
		}
		if len(joined) == 34 {
			return false
		}
		joined = append(joined, c)
	}
	if len(joined) < 15 {
		return false
	}
	rest := 0
	for place := range joined {
		switch c := joined[(place+4)%len(joined)]; {
		case isDigit(c):
			rest = (rest*10 + int(c-'0')) % 97
		default:
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

// isVIN is a vehicle's number of ISO 3779 with the check digit of North America.
func isVIN(text []byte) bool {
	const values, weights = "0123456789.ABCDEFGH..JKLMN.P.R..STUVWXYZ", "8765432X098765432"
	text = bytes.ToUpper(bytes.TrimFunc(text, func(r rune) bool { return r > 0x7f || !isDigit(byte(r)) && !isLetter(byte(r)) }))
	if len(text) != len(weights) || onlyDigits(text) {
		return false
	}
	sum := 0
	for place, c := range text {
		value := strings.IndexByte(values, c) % 10
		weight := 10
		if weights[place] != 'X' {
			weight = int(weights[place] - '0')
		}
		if value < 0 {
			return false
		}
		sum += value * weight
	}
	return text[8] == "0123456789X"[sum%11]
}

// isGTIN is the device identifier of a UDI in GS1's form: (01), fourteen digits, the last of
// which is a check.
func isGTIN(text []byte) bool {
	digits := digitsOf(text)
	if len(digits) < 16 || string(digits[:2]) != "01" {
		return false
	}
	sum := 0
	for place, c := range digits[2:16] {
		sum += int(c-'0') * (3 - place%2*2)
	}
	return sum%10 == 0
}

func isAddress(found []byte) bool {
	trimmed := strings.TrimFunc(string(found), func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF:.", r) })
	address, err := netip.ParseAddr(trimmed)
	return err == nil && (address.Is4() && !strings.HasPrefix(trimmed, "0.") || len(trimmed) > 6 && strings.ContainsAny(trimmed, "0123456789"))
}

// isSSN leaves out what is given to nobody.
func isSSN(found []byte) bool {
	digits := digitsOf(found)
	return len(digits) == 9 && string(digits[:3]) != "000" && string(digits[:3]) != "666" && digits[0] != '9' &&
		string(digits[3:5]) != "00" && string(digits[5:]) != "0000"
}

// isPhone wants as many digits as a number has.
func isPhone(found []byte) bool {
	digits := digitsOf(found)
	return len(digits) >= 10 && len(digits) <= 15
}
