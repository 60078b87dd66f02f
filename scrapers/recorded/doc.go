// Package recorded knows a night as a directory of recorded answers: the one
// that is built in, and any other that was written by hand or exported. It
// reads one as an HTTP transport, so that a recorded night takes the same way
// as a live one, and writes one. It opens no connection.
//
// A directory holds <provider>/<source>[.<request key>].html or .json, each
// with an optional <same name>.meta.toml, and <provider>/robots.txt; without
// one robots.txt counts as answered 404.
package recorded
