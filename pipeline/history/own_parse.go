package history

import "mtok/schema"

func (r *ownRow) parse() schema.ExportedParse {
	p := schema.ExportedParse{
		Parse: schema.Parse{
			FetchID: r.int("fetch_id"), ParserVersion: int(r.int("parser_version")), Offers: int(r.int("offers")),
			Rejects: int(r.int("rejects")), Error: r.text("error"), ParsedAt: r.time("parsed_at"),
		},
		Evidence: schema.Evidence{Fetch: r.fetch(schema.ProviderID(r.text("provider")), r.text("source"), r.day("day")), ImportedFrom: r.importedFrom()},
	}
	p.Fetch.Provider = schema.ProviderID(r.text("provider"))
	return p
}

func (r *ownRow) reject() schema.ExportedReject {
	return schema.ExportedReject{FetchID: r.int("fetch_id"), Position: int(r.int("position")), Reject: schema.Reject{
		Source: r.text("source"), Label: r.text("label"), PriceText: r.text("price_text"), Rule: r.text("rule"), Reason: r.text("reason"),
	}}
}

// importedFrom is nil for what was not imported.
func (r *ownRow) importedFrom() *schema.ImportedFrom {
	if r.null["import_format"] {
		return nil
	}
	return &schema.ImportedFrom{
		Format: r.text("import_format"), File: r.text("import_file"), Licence: r.text("licence"),
		Attribution: r.text("attribution"), Provenance: r.text("provenance"), At: r.time("imported_at"),
	}
}
