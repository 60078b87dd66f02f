package notify

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nicholas-fedor/shoutrrr/pkg/util/jsonclient"
)

// Fault is why a try failed, in words that hold nothing of the channel's URL nor of
// what its server answered.
type Fault struct {
	Reason string
	// RetryAfter is how long the server asks to wait; 0 where it says nothing.
	RetryAfter time.Duration
}

func (f *Fault) Error() string { return f.Reason }

func fault(format string, args ...any) *Fault { return &Fault{Reason: fmt.Sprintf(format, args...)} }

// statusFault is that of an answer which is no success.
func statusFault(status int, after time.Duration) *Fault {
	f := fault("HTTP %d %s", status, http.StatusText(status))
	f.Reason, f.RetryAfter = strings.TrimSpace(f.Reason), after
	return f
}

// faultOf says in our own words what an error is. The error itself is dropped: the
// libraries put the URL into it, with its password or token.
func faultOf(err error) *Fault {
	var own *Fault
	var dns *net.DNSError
	var network net.Error
	var unknown x509.UnknownAuthorityError
	var certificate *tls.CertificateVerificationError
	var mail *textproto.Error
	var answer jsonclient.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &dns):
		return fault("the name of its host is not known")
	case errors.As(err, &certificate), errors.As(err, &unknown):
		return fault("its certificate is not trusted")
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded),
		errors.As(err, &network) && network.Timeout():
		return fault("timed out: it may have arrived all the same")
	case errors.Is(err, context.Canceled):
		return fault("interrupted: it may have arrived all the same")
	case errors.Is(err, syscall.ECONNREFUSED):
		return fault("connection refused")
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fault("the connection broke off: it may have arrived all the same")
	case errors.As(err, &mail):
		return fault("mail server answered %d", mail.Code)
	case errors.As(err, &answer) && answer.StatusCode >= http.StatusBadRequest:
		return statusFault(answer.StatusCode, 0)
	}
	if status, ok := statusIn(err.Error()); ok {
		return statusFault(status, 0)
	}
	return fault("the service refused it, or its URL is wrong")
}

// statusIn finds an HTTP status with its own words in the text of an error, since
// most services of the library keep no more of it.
func statusIn(text string) (int, bool) {
	for _, digits := range statusCode().FindAllString(text, -1) {
		status, _ := strconv.Atoi(digits)
		if words := http.StatusText(status); words != "" && strings.Contains(text, digits+" "+words) {
			return status, true
		}
	}
	return 0, false
}

func statusCode() *regexp.Regexp { return regexp.MustCompile(`\b[45]\d\d\b`) }

// retryAfter reads the header of an answer: seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
