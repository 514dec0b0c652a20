package policies_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDataStaysWhatItWas: all of these were changed when pandas guessed.
func TestDataStaysWhatItWas(t *testing.T) {
	w := newWorkspace(t)
	w.write("data/t.csv", "zip,code,country,phone,surname,id,big,n,day,flag\n"+
		"00001,007,NA,+441234,Null,9007199254740993,18446744073709551615,1,2024-02-29,true\n"+
		"00002,,DE,+441235,None,,0,,2024-03-01,false\n")
	w.write("data/j.jsonl", "{\"id\":\"007\",\"at\":1700000000,\"date\":\"2024-02-29\"}\n{\"id\":\"\",\"at\":1700000001,\"date\":null}\n")
	w.write("data/deep/tab.tsv", "a\tb\n01\t1.50\n02\t2.25\n")
	w.bundle("exports")
	test(t, w, "study-analysis", map[string]feature{
		"strings of CSV": {
			script: "for name in ('zip', 'code', 'country', 'phone', 'surname', 'id'):\n    print(name, t[name].dtype, t[name].tolist(), t[name].isna().tolist())",
			want: answers("zip object ['00001', '00002'] [False, False]\ncode object ['007', nan] [False, True]\ncountry object ['NA', 'DE'] [False, False]\n" +
				"phone object ['+441234', '+441235'] [False, False]\nsurname object ['Null', 'None'] [False, False]\nid object ['9007199254740993', nan] [False, True]\n"),
		},
		"numbers, days and booleans of CSV": {
			script: "print(t.big.dtype, int(t.big[0]), t.n.dtype, t.n.tolist(), t.day.dtype, str(t.day[0]), t.flag.dtype, t.flag.tolist())",
			want:   answers("uint64 18446744073709551615 float64 [1.0, nan] datetime64[us] 2024-02-29 00:00:00 bool [True, False]\n"),
		},
		"JSON Lines": {
			script: "print(j.id.dtype, j.id.tolist(), j['at'].dtype, j['at'].tolist(), j.date.dtype, j.date.tolist())",
			want:   answers("object ['007', ''] int64 [1700000000, 1700000001] object ['2024-02-29', nan]\n"),
		},
		"tabs in a directory": {
			script: "print(deep_tab.a.tolist(), deep_tab.b.tolist())",
			want:   answers("['01', '02'] [1.5, 2.25]\n"),
		},
	}, "--bundle", "exports")
}

// TestDataIsWhatAPersonChose, and not what pandas would have taken it for.
func TestDataIsWhatAPersonChose(t *testing.T) {
	w := newWorkspace(t)
	w.write("data/c.csv", "id;arm;n;day\n007;low;9007199254740993;29/02/2024\n8;high;;-\n")
	w.succeeds("bundle", "create", "data", "--name", "chosen", "--version", "1", "--study", "S", "--method", "synthetic", "--attested-by", "A", "--statement", "Made up.",
		"--delimiter", "c.csv=semicolon", "--type", "c.csv:id=integer", "--type", "c.csv:n=Int64", "--type", "c.csv:day=date:%d/%m/%Y", "--missing", "-", "--categories", "c.csv:arm")
	w.add()
	got := w.run("study-analysis", "print(c.id.tolist(), c.arm.dtype, c.arm.cat.categories.tolist(), c.n.dtype, int(c.n[0]), c.n.isna().tolist(), c.day.dtype, str(c.day[0])[:10], c.day.isna().tolist())",
		"--bundle", "chosen")
	require.Equal(t, "[7, 8] category ['high', 'low'] Int64 9007199254740993 [False, True] datetime64[us] 2024-02-29 [False, True]\n", got.Stdout, describe(got))
}
