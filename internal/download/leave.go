package download

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
)

var errTooLarge = errors.New("it has more than")

// leave removes a part that no later Fetch can go on with, and tells of one that stays.
func (o *Options) leave(part *os.File, why error) error {
	info, err := part.Stat()
	if err != nil {
		return err
	}
	if info.Size() == 0 || errors.Is(why, ErrOther) || errors.Is(why, errTooLarge) {
		return o.Dir.Remove(o.Name + partEnding)
	}
	return fmt.Errorf("%s%s has %d bytes of it: the same command goes on with them", o.Name, partEnding, info.Size())
}

// printableURL is where the file is, without what may be secret: a user and a password before
// the host, and what is asked for behind the path.
func printableURL(text string) string {
	given, err := url.Parse(text)
	if err != nil {
		return "the URL"
	}
	return (&url.URL{Scheme: given.Scheme, Host: given.Host, Path: given.Path}).String()
}

// withoutURL takes an error out of those that quote a URL: the given one, or one to which a
// server has led.
func withoutURL(err error) error {
	for {
		quoting, ok := errors.AsType[*url.Error](err)
		switch {
		case ok:
			err = quoting.Err
		case err != nil && strings.Contains(err.Error(), "://"):
			return refusal{errors.New("the server leads to what is no URL")} // net/http quotes it
		default:
			return err
		}
	}
}

// redirect follows as far as net/http does. The page that is named as the referer would be
// the whole URL before, its query with it.
func redirect(next *http.Request, before []*http.Request) error {
	const most = 10
	if len(before) >= most {
		return refusal{fmt.Errorf("the server leads on more than %d times", most)}
	}
	next.Header.Del("Referer")
	return nil
}
