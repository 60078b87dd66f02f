package pipeline

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"time"

	"mtok/pipeline/history"
	"mtok/schema"
)

// ownVersion is that of the reader of our own export.
const ownVersion = 1

// OwnFile is a file of our own export as it is kept: the evidence of what it put
// back. Its run is set when it is saved.
func OwnFile(name string, body []byte, now time.Time) schema.Import {
	sum := sha256.Sum256(body)
	base := path.Base(name)
	return schema.Import{
		Fetch: schema.Fetch{
			Provider: history.OwnName, Source: history.OwnName, Key: base, Origin: schema.OriginImport, Method: "READ",
			URL: "file:" + base, Status: 200, FetchedAt: now,
		},
		Page:   schema.Page{SHA256: hex.EncodeToString(sum[:]), MediaType: mediaType(body), Body: body},
		Format: history.OwnName, File: base, Licence: "own", Attribution: "export of another mtok database",
		Provenance: string(history.Primary), Parse: schema.Parse{ParserVersion: ownVersion},
	}
}
