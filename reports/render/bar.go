package render

import (
	"io"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
)

// Bar shows on a terminal how far a long job is. It draws by itself from NewBar
// to Close; what else is written to the terminal meanwhile spoils it.
type Bar struct {
	writer  progress.Writer
	tracker *progress.Tracker
	drawn   chan struct{}
}

// NewBar begins a bar under a title. How long it is comes with Set.
func NewBar(to io.Writer, title string) *Bar {
	b := &Bar{writer: progress.NewWriter(), tracker: &progress.Tracker{Message: Clean(title)}, drawn: make(chan struct{})}
	b.writer.SetOutputWriter(to)
	b.writer.SetUpdateFrequency(time.Second / 10)
	b.writer.Style().Visibility.Speed = false
	b.writer.AppendTracker(b.tracker)
	go func() {
		defer close(b.drawn)
		b.writer.Render()
	}()
	return b
}

// Set says that done of all steps are done.
func (b *Bar) Set(done, all int) {
	if b.tracker.Total != int64(all) {
		b.tracker.UpdateTotal(int64(all))
	}
	b.tracker.SetValue(int64(done))
}

// Close draws the bar as it stands a last time and leaves it there.
func (b *Bar) Close() {
	const pause = 5 * time.Millisecond
	for {
		// A stop before the first drawing is lost.
		b.writer.Stop()
		select {
		case <-b.drawn:
			return
		case <-time.After(pause):
		}
	}
}
