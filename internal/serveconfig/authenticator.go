package serveconfig

import (
	"errors"
	"fmt"
	"log/slog"
	"os/user"
	"regexp"

	"hotcell/internal/access"
	"hotcell/internal/access/openid"
	"hotcell/internal/access/token"
)

// Authenticator tells who asks, in the ways that the file has. What it needs on this host (users,
// groups, the file of tokens) must be there. Providers are asked with the first token of theirs.
func (c Config) Authenticator(log *slog.Logger) (access.Authenticator, error) {
	var methods []access.Method
	var faults []error
	by := c.Authentication
	if by.Unix != nil {
		faults = append(faults, by.Unix.exist())
		methods = append(methods, access.Peers{Users: by.Unix.Users, Groups: by.Unix.Groups, Scopes: by.Unix.Scopes})
	}
	if by.Tokens != nil {
		store, err := token.Open(by.Tokens.File)
		faults = append(faults, err)
		methods = append(methods, store)
	}
	if by.Certificates != nil {
		methods = append(methods, access.Certificates{Field: by.Certificates.Field, Names: by.Certificates.Names})
	}
	if by.OIDC != nil {
		methods = append(methods, openid.New(by.providers()...))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return access.Limited(access.First(methods...), log), nil
}

func (a Authentication) providers() []openid.Provider {
	made := make([]openid.Provider, len(a.OIDC))
	for index, one := range a.OIDC {
		made[index] = openid.Provider{
			Issuer: one.Issuer, Audience: one.Audience, AuthorizedParties: one.AuthorizedParties,
			Algorithms: one.Algorithms, ClockSkew: *one.ClockSkew, Claim: one.Claim, Scopes: one.Scopes,
		}
	}
	return made
}

var uidName = regexp.MustCompile(`^uid-[0-9]+$`)

// exist refuses misspelt names: nobody would be let in, and nobody would know why. The group that
// is the default may be missing on a host where only root asks.
func (u Unix) exist() error {
	var faults []error
	for _, name := range u.Users {
		if uidName.MatchString(name) {
			continue
		}
		if _, err := user.Lookup(name); err != nil {
			faults = append(faults, fmt.Errorf("authentication.unix.users: %w", err))
		}
	}
	for _, name := range u.Groups {
		if _, err := user.LookupGroup(name); err != nil && name != defaultGroup {
			faults = append(faults, fmt.Errorf("authentication.unix.groups: %w", err))
		}
	}
	return errors.Join(faults...)
}
