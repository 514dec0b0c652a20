package main

import (
	"context"
	"fmt"
	"os"
	"os/user"
	"regexp"
	"strconv"

	"hotcell/internal/job"
	"hotcell/internal/output"
	"hotcell/internal/records"
)

// ownActor is who runs this command, as the audit chain names them.
func ownActor() job.Actor {
	uid := os.Getuid()
	name := ""
	if found, err := user.LookupId(strconv.Itoa(uid)); err == nil {
		name = records.Brief(found.Username)
	}
	actor := job.ActorOf(uint32(uid), name)
	if owner, err := sudoOwner(os.Geteuid(), os.Getenv); err == nil && owner != nil {
		if found, err := user.LookupId(strconv.Itoa(owner.UID)); err == nil {
			actor.SudoUser = records.Brief(found.Username)
		}
	}
	return actor
}

// note adds what this command does to the audit chain, in its user's name.
func (a *app) note(ctx context.Context, event records.Event) error {
	kept, err := a.records()
	if err != nil {
		return err
	}
	event.Actor = ownActor()
	return kept.Append(ctx, event)
}

// mayNote is asked before something is done that is noted when it is.
func (a *app) mayNote(ctx context.Context) error {
	kept, err := a.records()
	if err != nil {
		return err
	}
	return kept.MayAppend(ctx)
}

var userNumber = regexp.MustCompile(`^(0|[1-9][0-9]{0,9})$`)

// sudoOwner is who has called the command through sudo, as SUDO_UID and SUDO_GID say, or
// nil. Only root can have been called so. Whoever sets the environment of root's
// processes gains nothing by it: the two must be a user and that user's own group, and
// output.Destination gives files only to whom the place belongs that they are put in.
func sudoOwner(euid int, getenv func(string) string) (*output.Owner, error) {
	uid, gid := getenv("SUDO_UID"), getenv("SUDO_GID")
	if euid != 0 || uid == "" && gid == "" || uid == "0" {
		return nil, nil
	}
	const plea = "unset SUDO_UID and SUDO_GID"
	for name, value := range map[string]string{"SUDO_UID": uid, "SUDO_GID": gid} {
		if !userNumber.MatchString(value) {
			return nil, fmt.Errorf("%s is %q, which is no number of a user or group: %s", name, value, plea)
		}
	}
	found, err := user.LookupId(uid)
	if err != nil {
		return nil, fmt.Errorf("SUDO_UID %s is no user of this machine (%w): %s", uid, err, plea)
	}
	if found.Gid != gid {
		return nil, fmt.Errorf("SUDO_GID %s is not the group of the user %s, which is %s: %s", gid, uid, found.Gid, plea)
	}
	owner := &output.Owner{}
	if owner.UID, err = strconv.Atoi(uid); err == nil {
		owner.GID, err = strconv.Atoi(gid)
	}
	return owner, err
}
