package main

import (
	"errors"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// figure is a plot of latencies. Both axes are logarithmic: callers and sizes double, and
// so does what they cost.
type figure struct {
	name, title, x string
	curves         []curve
}

// curve is one line of a figure. What stands beside the other is drawn in gray, the rarer
// figure dashed.
type curve struct {
	name   string
	points []point
	beside bool
	dashed bool
}

type point struct{ x, ms float64 }

// The page is white, and the text is dark, in a document of any colour.
var (
	ours   = color.RGBA{R: 0x1f, G: 0x5f, B: 0xbf, A: 0xff}
	theirs = color.RGBA{R: 0x6b, G: 0x6b, B: 0x6b, A: 0xff}
)

func (f figure) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, f.name+".svg"), f.svg)
}

func (f figure) svg(to io.Writer) error {
	p, err := f.plot()
	if err != nil {
		return err
	}
	canvas := vgsvg.New(7*vg.Inch, 4*vg.Inch)
	p.Draw(draw.Crop(draw.New(canvas), vg.Points(4), -vg.Points(12), vg.Points(4), -vg.Points(4)))
	_, err = canvas.WriteTo(to)
	return err
}

func (f figure) plot() (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = f.title, f.x, "milliseconds"
	p.Title.Padding = vg.Points(6)
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.Legend.Top, p.Legend.Left, p.Legend.Padding = true, true, vg.Points(2)
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Font.Variant = "Sans"
	}
	p.Add(plotter.NewGrid())
	least, most := math.Inf(1), 0.0
	for _, one := range f.curves {
		line, marks, err := one.draw()
		if err != nil {
			return nil, err
		}
		p.Add(line, marks)
		p.Legend.Add(one.name, line, marks)
		for _, at := range one.points {
			least, most = min(least, at.ms), max(most, at.ms)
		}
	}
	if most == 0 {
		return nil, errors.New("draw plot: it has no points")
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = f.xTicks(), decades(least, most)
	p.Y.Min, p.Y.Max = least/1.5, most*6 // the legend is above the lines
	return p, nil
}

func (c curve) draw() (*plotter.Line, *plotter.Scatter, error) {
	points := make(plotter.XYs, len(c.points))
	for n, at := range c.points {
		points[n].X, points[n].Y = at.x, at.ms
	}
	line, marks, err := plotter.NewLinePoints(points)
	if err != nil {
		return nil, nil, err
	}
	line.Color, line.Width = ours, vg.Points(1.5)
	if c.beside {
		line.Color = theirs
	}
	if c.dashed {
		line.Dashes = []vg.Length{vg.Points(4), vg.Points(3)}
	}
	marks.Color, marks.Shape, marks.Radius = line.Color, draw.CircleGlyph{}, vg.Points(2)
	return line, marks, nil
}

// xTicks are where something was measured.
func (f figure) xTicks() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for _, at := range f.curves[0].points {
		ticks = append(ticks, plot.Tick{Value: at.x, Label: strconv.FormatFloat(at.x, 'g', -1, 64)})
	}
	return ticks
}

// decades are 1, 2, 5, 10, … from below the least to above the most.
func decades(least, most float64) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for power := math.Pow(10, math.Floor(math.Log10(least))); power <= most*10; power *= 10 {
		for _, step := range []float64{1, 2, 5} {
			ticks = append(ticks, plot.Tick{Value: power * step, Label: strconv.FormatFloat(power*step, 'g', 12, 64)})
		}
	}
	return ticks
}
