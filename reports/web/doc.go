// Package web answers over HTTP what monitoring asks: is the process alive, is
// the data fresh, and which figures hold. It reads through the Source interface
// and never imports the store or the pipeline.
package web
