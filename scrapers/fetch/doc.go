// Package fetch asks providers for their pages: politely, within bounds and
// with typed errors. It is the only importer of colly and never imports the
// pipeline, the store or a provider.
//
// A request passes, from the top: colly (one fresh collector a request, so that
// no visited list survives), the slot of its host (one request at a time, with
// spacing), the retries, and one attempt with its time limits, which also reads,
// decompresses and decodes the body. robots.txt is read once a host and run,
// through the same layers.
//
// Proxies from the environment are not used: a proxy would resolve names for
// us, and the check of every dialled address would check the proxy only.
//
// A textual Body is UTF-8. Its ContentType is as served unless the body had to
// be decoded from another charset, in which case it says charset=utf-8: an
// archived page that is served again must not be decoded twice.
package fetch
