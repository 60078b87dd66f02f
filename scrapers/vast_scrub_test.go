package scrapers_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"mtok/scrapers"
)

func scrub(t *testing.T, body string) string {
	t.Helper()
	out, err := scrapers.Vast().Sources[0].Scrub([]byte(body))
	if err != nil && len(out) == 0 {
		return "" // such a body is not kept
	}
	if err != nil {
		t.Fatal(err)
	}
	again, err := scrapers.Vast().Sources[0].Scrub(out)
	if err != nil || !bytes.Equal(again, out) {
		t.Errorf("scrubbed again: %q, %v", again, err)
	}
	return string(out)
}

// TestVastScrub: every address is gone and every other byte is as it was.
func TestVastScrub(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"public address",
			`{"offers": [ {"id":1,  "public_ipaddr" : "203.0.113.7", "dph_total":1.50e0, "static_ip": true} ]}` + "\n",
			`{"offers": [ {"id":1,  "public_ipaddr" : null, "dph_total":1.50e0, "static_ip": true} ]}` + "\n"},
		{"names of addresses, whatever the value",
			`{"hostname":"gpu7","local_ipaddrs":["10.0.0.1",{"a":1}],"ssh_host":"ssh5","webpage":"me","machine_ip":16909060,"mac":"x","IPAddr":"y","hostname":false,"hostname":null}`,
			`{"hostname":null,"local_ipaddrs":null,"ssh_host":null,"webpage":null,"machine_ip":null,"mac":null,"IPAddr":null,"hostname":false,"hostname":null}`},
		{"addresses under other names",
			`{"a":"10.1.2.3","b":"at 2001:db8::1 now","c":["host7.example.net","https://me.example/x","aa:bb:cc:dd:ee:ff"],"d":"203.0.113.007:22","e":"::ffff:192.0.2.1","f":"from:2001:db8::1:","g":"::10.0.00.1"}`,
			`{"a":null,"b":null,"c":[null,null,null],"d":null,"e":null,"f":null,"g":null}`},
		{"an escaped name and an escaped value",
			`{"public\u005fipaddr":"x","a":"203\u002e0\u002e113\u002e7"}`,
			`{"public\u005fipaddr":null,"a":null}`},
		{"an address as a name", `{"203.0.113.7":1}`, `{"[address]":1}`},
		{"what only looks like one",
			`{"driver_version":"590.48.01","cuda":13.1,"geolocation":", US","logo":"/static/logos/vastai_small2.png","cpu_name":"Xeon® W-3225 ","time":"12:30:45","os_version":"24.04","gpu_name":"RTX 6000Ada","pci":"0000:3b:00.0"}`,
			`{"driver_version":"590.48.01","cuda":13.1,"geolocation":", US","logo":"/static/logos/vastai_small2.png","cpu_name":"Xeon® W-3225 ","time":"12:30:45","os_version":"24.04","gpu_name":"RTX 6000Ada","pci":"0000:3b:00.0"}`},
		{"repeated names", `{"hostname":"a","hostname":"b"}`, `{"hostname":null,"hostname":null}`},
		{"an error page",
			"<p>Too many requests from 203.0.113.7 (2001:db8::1) at 12:30:45</p>",
			"<p>Too many requests from [address] ([address]) at 12:30:45</p>"},
		{"cut short",
			`{"offers": [{"id": 1, "hostname": "gpu7", "x": "host7.example.net", "public_ipaddr": "203.0.1`,
			`{"offers": [{"id": 1, "hostname": null, "x": null, "public_ipaddr": null`},
		{"nothing", "", ""},
	} {
		if diff := cmp.Diff(tt.want, scrub(t, tt.body)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestVastScrubOnlyTouchesAddresses: beside the addresses, a scrubbed book is
// the same value, and gives the same offers.
func TestVastScrubOnlyTouchesAddresses(t *testing.T) {
	const hosts = `"public_ipaddr": "198.51.100.23", "hostname": "rig-4.example.org", `
	ask := vastAsk(5, "2.5")
	dirty := `{"offers": [` + strings.Replace(ask, "{", "{"+hosts, 1) + `]}`
	clean := scrub(t, dirty)
	for _, part := range []string{"198.51.100", "rig-4", "example.org"} {
		if strings.Contains(clean, part) {
			t.Errorf("%q is still in %s", part, clean)
		}
	}
	var tree struct{ Offers []map[string]any }
	if err := json.Unmarshal([]byte(clean), &tree); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{"public_ipaddr": nil, "hostname": nil, "dph_total": 2.5, "gpu_name": "H100 SXM"} {
		if got, ok := tree.Offers[0][name]; !ok || got != v {
			t.Errorf("%s is %v, %v", name, got, ok)
		}
	}
	parse := func(body string) scrapers.Result {
		got, err := scrapers.Vast().Sources[0].Parse(scrapers.Page{Key: "h100-sxm.asc", Body: []byte(body)})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if diff := cmp.Diff(readable(t, parse(dirty)), readable(t, parse(clean))); diff != "" {
		t.Errorf("scrubbing changed the offers:\n%s", diff)
	}
}

// FuzzVastScrub: of any body, no dotted quad is left, scrubbing again changes
// nothing, and what was JSON still is.
func FuzzVastScrub(f *testing.F) {
	f.Add(`{"offers": [{"public_ipaddr": "203.0.113.7", "a": "10.0.0.1:22", "n": 1.5e3}]}`)
	f.Add(`{"hostname": ["a", {"b": "c"}], "x": "::1"`)
	f.Add("<p>203.0.113.7</p>")
	quad := regexp.MustCompile(`(?:\d{1,3}\.){3}\d{1,3}`)
	f.Fuzz(func(t *testing.T, body string) {
		out := scrub(t, body)
		if found := quad.FindString(out); found != "" {
			t.Errorf("%q is left of %q", found, body)
		}
		if json.Valid([]byte(body)) && !json.Valid([]byte(out)) {
			t.Errorf("%q is no JSON any more: %q", body, out)
		}
	})
}
