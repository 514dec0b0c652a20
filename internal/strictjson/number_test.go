package strictjson

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckNumberAcceptsWhatAFloatOrAnIntegerIs(t *testing.T) {
	for _, number := range []string{
		"0", "-0", "-0.0", "1e5", "1E+5", "1e-05", strconv.Itoa(math.MaxInt64), strconv.Itoa(math.MinInt64),
		strconv.FormatUint(math.MaxUint64, 10),
		strconv.FormatFloat(math.MaxFloat64, 'g', -1, 64), strconv.FormatFloat(-math.MaxFloat64, 'f', -1, 64),
		strconv.FormatFloat(math.SmallestNonzeroFloat64, 'g', -1, 64), strconv.FormatFloat(-math.SmallestNonzeroFloat64, 'f', -1, 64),
		"0." + strings.Repeat("1", 324), "1" + strings.Repeat("0", 308),
	} {
		require.NoError(t, CheckNumber(number), number)
	}
}

func TestCheckNumberRefusesWhatWouldCost(t *testing.T) {
	for _, number := range []string{
		"1e-1000001", "1e-999999", "1e999999", "1e309", "-1e400", "0e999", "0e-1000000000", "1E-325", "1e+325",
		"1e99999999999999999999", "1e-000000000000000001", "1e-00001",
		strings.Repeat("9", 326), "0." + strings.Repeat("0", 325), strings.Repeat("1", 1<<20), "0." + strings.Repeat("1", 1<<20),
	} {
		require.Error(t, CheckNumber(number), "%.40s", number)
	}
}

func TestEveryReaderBoundsNumbers(t *testing.T) {
	type holder struct {
		A []any `json:"a"`
	}
	for _, number := range []string{"1e-1000001", "1e-999999", "1e999", strings.Repeat("1", 400)} {
		text := []byte(`{"a": [1, ` + number + `]}`)
		var value holder
		for name, err := range map[string]error{
			"Decode": Decode(text, 1000, &value), "DecodeAll": DecodeAll(text, 1000, &value), "CheckValue": CheckValue(text, 9),
		} {
			require.ErrorContains(t, err, "the number", name)
			require.ErrorContains(t, err, `"a/1"`, name)
			require.NotContains(t, err.Error(), number, name)
		}
	}
}

// FuzzCheckNumber hands what is accepted to the arithmetic that a schema library
// uses, which must then be there and be cheap.
func FuzzCheckNumber(f *testing.F) {
	for _, number := range []string{"1e-1000001", "0e5", "1e-324", "123.5e300", "-0", "1e999"} {
		f.Add(number)
	}
	f.Fuzz(func(t *testing.T, number string) {
		if CheckValue([]byte(number), 1) != nil || CheckNumber(strings.TrimSpace(number)) != nil {
			return
		}
		exact, ok := new(big.Rat).SetString(strings.TrimSpace(number))
		require.True(t, ok)
		require.LessOrEqual(t, exact.Num().BitLen()+exact.Denom().BitLen(), 2*4*(maxDigits+maxExponent))
	})
}
