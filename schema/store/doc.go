// Package store keeps runs, pages, offers, observations and daily figures in
// SQLite or PostgreSQL. It is the only importer of database drivers. What it
// stores it does not judge: prices come in exact and already decided.
//
// The queries in query.sql serve both databases; db is generated from them by
// sqlc. A write is one transaction that leaves either all of its rows or none.
package store
