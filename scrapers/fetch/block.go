package fetch

import (
	"bytes"
	"net/http"
	"strings"
)

// challengeScan is how much of a page is searched for challenge markers.
const challengeScan = 64 << 10

// blocked tells why an answer is a block page and not the provider's; "" when
// it is not one. answered means that the source reads this status. On such a
// page only sure signs count: real pages load a captcha for their contact form
// or carry a bot-detection script.
func blocked(status int, header http.Header, body []byte, answered bool) string {
	if strings.EqualFold(header.Get("Cf-Mitigated"), "challenge") {
		return "challenge header"
	}
	switch strings.ToLower(header.Get("X-Amzn-Waf-Action")) {
	case "challenge", "captcha":
		return "firewall header"
	}
	head := bytes.ToLower(body[:min(len(body), challengeScan)])
	for _, sign := range []string{"<title>just a moment", "<title>attention required! | cloudflare", "_cf_chl_opt"} {
		if bytes.Contains(head, []byte(sign)) {
			return "challenge page"
		}
	}
	if answered {
		return ""
	}
	if status == http.StatusForbidden {
		return "forbidden"
	}
	if status < http.StatusBadRequest || status == http.StatusTooManyRequests {
		return ""
	}
	for _, sign := range []string{"just a moment", "challenge-platform", "cf-chl", "captcha"} {
		if bytes.Contains(head, []byte(sign)) {
			return "challenge page"
		}
	}
	return ""
}
