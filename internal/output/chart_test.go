package output_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"hotcell/internal/output"
)

// TestAChartLeadsNowhere: whoever looks at a chart must not tell a third party so,
// with whatever the address was made to carry.
func TestAChartLeadsNowhere(t *testing.T) {
	for name, spec := range map[string]string{
		"a picture":                        `{"layout":{"images":[{"source":"https://example.org/?secret=1"}]}}`,
		"a picture without a scheme":       `{"layout":{"images":[{"source":"//example.org/?secret=1"}]}}`,
		"a picture with the other slashes": `{"layout":{"images":[{"source":"\\\\example.org\\?secret=1"}]}}`,
		"a picture with no slashes":        `{"layout":{"images":[{"source":"https:example.org"}]}}`,
		"a picture with spaces":            `{"layout":{"images":[{"source":" \u0001ht\ntps://example.org"}]}}`,
		"a picture of the page's own host": `{"layout":{"images":[{"source":"/api/delete?all=1"}]}}`,
		"a picture that is a drawing":      `{"layout":{"images":[{"source":"data:image/svg+xml;base64,AAAA"}]}}`,
		"a picture in a template":          `{"layout":{"template":{"layout":{"images":[{"source":"https://example.org"}]}}}}`,
		"a picture in a frame":             `{"frames":[{"layout":{"images":[{"source":"https://example.org"}]}}]}`,
		"a picture by a button":            `{"layout":{"updatemenus":[{"buttons":[{"args":[{"images[0].source":"/x"}]}]}]}}`,
		"a picture by a button's list":     `{"layout":{"updatemenus":[{"buttons":[{"args":["images[0].source","/x"]}]}]}}`,
		"a picture by a slider":            `{"layout":{"sliders":[{"steps":[{"args":["images[0].source","https://example.org"]}]}]}}`,
		"a trace that is a picture":        `{"data":[{"type":"image","source":"https://example.org"}]}`,
		"shapes":                           `{"data":[{"type":"choropleth","geojson":"https://example.org/x.json"}]}`,
		"shapes of the page's own host":    `{"data":[{"type":"choropleth","geojson":"/x.json"}]}`,
		"tiles":                            `{"data":[{"type":"scattermapbox"}]}`,
		"tiles without a token":            `{"data":[{"type":"densitymap"}]}`,
		"tiles by a button":                `{"layout":{"updatemenus":[{"buttons":[{"args":[{"type":["scattermap"]}]}]}]}}`,
		"tiles by a list in a template":    `{"data":[{"template":{"type":"scattermap"}}]}`,
		"a map's style":                    `{"layout":{"map":{"style":"/style.json"}}}`,
		"a map's layers":                   `{"layout":{"map":{"layers":[{"source":["x/{z}/{x}/{y}.png"]}]}}}`,
		"a map's token":                    `{"layout":{"mapbox":{"accesstoken":"pk.secret"}}}`,
		"where shapes are":                 `{"config":{"topojsonURL":"x/"}}`,
		"a link":                           `{"layout":{"title":{"text":"<a href='https://example.org/?x=1'>t</a>"}}}`,
		"a link in capitals":               `{"data":[{"text":["<A HREF = \"x\">t</A>"]}]}`,
		"a link in what hovers":            `{"data":[{"hovertemplate":"<b>x</b><a href=\"//example.org\">t</a>"}]}`,
		"a style that loads":               `{"data":[{"text":"<span style=\"fill:url(//example.org/#a)\">t</span>"}]}`,
		"a style that hides it":            `{"data":[{"text":"<span style=\"fill:u&#114;l(//example.org/#a)\">t</span>"}]}`,
		"a style with an escape":           `{"data":[{"text":"<span style=\"fill:\\75rl(//example.org/#a)\">t</span>"}]}`,
		"a link by a prefix":               `{"layout":{"xaxis":{"tickprefix":"<a hre","ticktext":["f='https://example.org'>t"],"ticksuffix":"</a>"}}}`,
		"a link by a prefix of one sign":   `{"layout":{"xaxis":{"tickprefix":"<","ticktext":["a href='x'>t"]}}}`,
		"a link by a prefix of a name":     `{"layout":{"xaxis":{"tickprefix":"x <A","ticktext":[" hre","f='x'>t"]}}}`,
		"a style by a prefix":              `{"layout":{"xaxis":{"tickprefix":"<span sty","ticktext":["le='fill:url(x)'>t"]}}}`,
		"a style by a prefix of a part":    `{"layout":{"xaxis":{"tickprefix":"<stro","ticktext":["ng style='fill:url(x)'>t"]}}}`,
		"a link by a place":                `{"data":[{"texttemplate":"<a %{customdata}='x'>t</a>","customdata":["href"]}]}`,
		"a tag by a place":                 `{"data":[{"texttemplate":"<%{customdata} 'x'>t</a>","customdata":["a href="]}]}`,
		"a tag by a part of a date":        `{"layout":{"xaxis":{"tickformat":"<%A x='x'>t"}}}`,
		"a style by a place":               `{"data":[{"texttemplate":"<b style='%{customdata}'>t</b>","customdata":["fill:url(x)"]}]}`,
		"a tag by a number's format":       `{"layout":{"xaxis":{"tickformat":"<<3","ticksuffix":"a x='y'>t"}}}`,
		"a tag by a format of a zoom":      `{"layout":{"xaxis":{"tickformatstops":[{"dtickrange":[1,2],"value":"<<3"}]}}}`,
		"a tag by a button's format":       `{"layout":{"updatemenus":[{"buttons":[{"args":["xaxis.tickformat","<<3"]}]}]}}`,
		"a tag by a place's format":        `{"data":[{"texttemplate":"%{x:<<3}b style='fill:u%{customdata}(x)'>t"}]}`,
		"a tag by a place's date":          `{"data":[{"texttemplate":"%{x|<}b style='fill:u%{customdata}(x)'>t"}]}`,
		"a link in entities":               `{"data":[{"text":["&lt;a href='x'&gt;t&lt;/a&gt;"]}]}`,
		"a link in entities by a prefix":   `{"layout":{"xaxis":{"tickprefix":"&lt;a","ticktext":[" x"]}}}`,
		"a link in a formula":              `{"layout":{"title":"$\\href{x}{y}$"}}`,
		"a style in a formula":             `{"layout":{"title":"$\\style{background:none}{y}$"}}`,
		"a box in a formula":               `{"layout":{"title":"$\\bbox[background:none]{y}$"}}`,
		"a command by a prefix":            `{"layout":{"xaxis":{"tickprefix":"$\\hre","ticktext":["f{x}{y}$"]}}}`,
		"a command by a sign":              `{"layout":{"xaxis":{"tickprefix":"$\\","ticktext":["href{x}{y}$"]}}}`,
		"a command that goes on":           `{"layout":{"xaxis":{"tickprefix":"$\\in","ticktext":["cludegraphics{x}$"]}}}`,
		"a command by a place":             `{"data":[{"texttemplate":"$\\%{customdata}{x}{y}$","customdata":["href"]}]}`,
		"a button of a template":           `{"layout":{"template":{"layout":{"updatemenus":[{"buttons":[{"args":[{"type":["scattermap"]}]}]}]}}}}`,
		"a type deeper in a template":      `{"layout":{"template":{"data":{"scatter":[{"x":{"type":"scattermap"}}]}}}}`,
		"a link in a picture":              `{"layout":{"title":"data:image/jpeg;base64,/9j/wAARCAABAAEBAREA<a href='//x'>t</a>"}}`,
		"a formula in a picture":           `{"layout":{"title":"data:image/jpeg;base64,/9j/wAARCAABAAEBAREA$\\href{x}{y}$"}}`,
		"a link around what is taken out":  `{"data":[{"name":"<<x>a hr<x>ef='//x'>t"}]}`,
		"a link around a name":             `{"data":[{"hovertemplate":"<a hr<extra>x</extra>ef='//x'>t"}]}`,
		"a style around a closed tag":      `{"data":[{"name":"<sp</x>an sty<x>le='fill:u<x>rl(x)'>t"}]}`,
		"a command around a tag":           `{"data":[{"name":"$\\<x>hr<x>ef{x}{y}$"}]}`,
		"a command with a tag in it":       `{"data":[{"name":"$\\in<x>cludegraphics{x}$"}]}`,
		"a button that sends it":           `{"config":{"showSendToCloud":true}}`,
		"a link that sends it":             `{"config":{"showLink":1}}`,
		"a setting as an object":           `{"config":{"showEditInChartStudio" : {}}}`,
		"a button by its name":             `{"config":{"modeBarButtons":[["sendDataToCloud"]]}}`,
		"another button by its name":       `{"config":{"modeBarButtonsToAdd":"editInChartStudio"}}`,
		"a sign in another place":          `{"data":[{"texttemplate":"%_{x:<^9}a href='//x'>t"}]}`,
		"a sign that a date leaves":        `{"layout":{"xaxis":{"tickformat":"<%","ticksuffix":"a href='//x'>t"}}}`,
		"a tag that a date leaves":         `{"layout":{"xaxis":{"tickformat":"<a%- hr","ticksuffix":"ef='//x'>t"}}}`,
		"a command that a date leaves":     `{"layout":{"xaxis":{"tickformat":"$\\%-href{x}{y}$"}}}`,
		"a backslash that a date leaves":   `{"layout":{"xaxis":{"tickformat":"$\\%","ticksuffix":"href{x}{y}$"}}}`,
		"a program":                        `{"layout":{"title":"javascript:alert(1)"}}`,
		"a file":                           `{"layout":{"title":"file:///etc/passwd"}}`,
		"another program's":                `{"layout":{"title":"slack://channel?x=1"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			err := output.CheckChart([]byte(spec))
			require.Error(t, err)
			require.Regexp(t, "^(?:"+output.RuleActiveContent+"|"+output.RuleMediaType+"):", err.Error())
			requirePrintable(t, err.Error())
		})
	}
}

func TestAPlainChartIsAccepted(t *testing.T) {
	for _, spec := range []string{
		`{}`, `{"data":[{"type":"scatter","x":[1],"y":[2],"text":["a<br>b","<b>p < 0.05</b>"],"marker":{"color":"rgb(1,2,3)"}}],"layout":{"title":{"text":"Source: https://example.org; n (%)"}}}`,
		`{"layout":{"images":[{"source":"` + embedded(picture(t)) + `"}],"font":{"style":"italic","family":"\"Open Sans\", verdana"}}}`,
		`{"data":[{"type":"sankey","link":{"source":[0,1],"target":[1,2],"value":[3,4]}}]}`,
		`{"data":[{"type":"choropleth","geojson":{"type":"FeatureCollection","features":[]}},{"type":"scattergeo"},{"type":"heatmap"}]}`,
		`{"layout":{"template":{"data":{"scattermapbox":[{"type":"scattermapbox"}],"scattermap":[{"type":"scattermap"}]},"layout":{"mapbox":{"style":"light"}}}}}`,
		`{"data":[{"name":"Data: cohort A","hovertemplate":"<span style=\"color:red\">x=%{x}</span><extra></extra>"}]}`,
		`{"data":[{"text":["income<=50K","age<30","p<alpha","x<y","0 < x < 1","</b>","<NA>","a<<b>b</b>","5% <7%","&lt;0.05","<br />","<=50","<<3","<5%","p <b>x</b>","a<br>b<br>c","$\\beta<0.05$","$5\\% \\leq x$"]}],"layout":{"title":{"text":"$\\hat{\\beta}_1 \\leq 5\\%$ <span style='color:red; font-size:9px'>x</span>"}}}`,
		`{"config":{"showLink":false,"showSendToCloud":null,"responsive":true,"displayModeBar":false}}`,
		`{"data":[{"hovertemplate":"sex=F<br>bill=%{x}<br>tip=%{y:.2f}<extra></extra>"}],"layout":{"xaxis":{"tickformat":"%b %d<br>%Y"}}}`,
	} {
		require.NoError(t, output.CheckChart([]byte(spec)), spec)
	}
}

// FuzzCheckChart: nothing before it hides an address.
func FuzzCheckChart(f *testing.F) {
	f.Add([]byte(`{"layout":{"images":[{"source":"https://example.org"}],"template":{"data":{"scattermap":[{"type":"scattermap"}]}}}}`))
	f.Add([]byte(`[[{"a":["x"]},"y"],{"b":{"c":"z"}}]`))
	f.Fuzz(func(t *testing.T, spec []byte) {
		if output.CheckChart(spec) == nil && json.Valid(spec) {
			require.Error(t, output.CheckChart([]byte(`{"data":`+string(spec)+`,"layout":{"images":[{"source":"//x"}]}}`)))
		}
	})
}
