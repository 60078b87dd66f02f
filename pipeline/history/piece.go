package history

import "bytes"

// pieceBytes is about how much of a file is parsed at a time.
const pieceBytes = 4 << 20

// piece is a part of a CSV file that reads as a file of its own.
type piece struct {
	header, rows []byte
	before       int // lines of the file that stand before its rows and not in it
	lines        int // of its rows
}

// body puts the piece into a buffer, which no reader of CSV keeps.
func (p piece) body(into []byte) []byte { return append(append(into[:0], p.header...), p.rows...) }

// cutPieces cuts a CSV file at ends of lines; each piece has the header before its
// rows. One with a quote is not cut: a cell in quotes may hold an end of a line.
func cutPieces(body []byte, size int) []piece {
	end := bytes.IndexByte(body, '\n') + 1
	header, rest := body[:end], body[end:]
	if len(rest) <= size || len(bytes.TrimSpace(header)) == 0 || bytes.IndexByte(body, '"') >= 0 {
		return []piece{{rows: body}}
	}
	var out []piece
	before := 0
	for len(rest) > 0 {
		n := len(rest)
		if n > size {
			if at := bytes.IndexByte(rest[size:], '\n'); at >= 0 {
				n = size + at + 1
			}
		}
		p := piece{header: header, rows: rest[:n], before: before, lines: bytes.Count(rest[:n], []byte("\n"))}
		before += p.lines
		if n == len(rest) {
			p.lines++ // the last line may lack its end
		}
		out, rest = append(out, p), rest[n:]
	}
	return out
}
