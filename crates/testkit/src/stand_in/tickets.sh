#!/bin/sh
# What the programs of ticket systems have in common. Titles and descriptions are stored as JSON.

# find_store NAME: the nearest directory of that name, from here upwards.
find_store() {
    parent=$PWD
    while [ ! -d "$parent/$1" ]; do
        [ -n "$parent" ] || fail "no $1 directory found"
        parent=${parent%/*}
    done
    state=$parent/$1/stand-in
}

fail() {
    echo "Error: $*" >&2
    exit 1
}

misbehave() {
    [ -f "$state/$1.misbehaves" ] || return 0
    case $(cat "$state/$1.misbehaves") in
    fail) fail "database is locked" ;;
    hang)
        sleep 600 &
        wait
        ;;
    garble)
        printf '[{"id": "half'
        exit 0
        ;;
    flood)
        head -c 3000000 /dev/zero | tr '\0' '['
        exit 0
        ;;
    esac
}

field() {
    cat "$state/tickets/$1/$2"
}

must_exist() {
    [ -d "$state/tickets/$1" ] || fail "no issue found matching \"$1\""
}

set_status() {
    must_exist "$1"
    now=$(($(cat "$state/clock") + 1))
    printf '%s' "$now" >"$state/clock"
    printf '%s' "$now" >"$state/tickets/$1/changed"
    printf '%s' "$2" >"$state/tickets/$1/status"
    printf '%s' "$1" >"$state/last"
}

# rows STATUS: an array of the tickets with that status, made by `row`.
rows() {
    separator=
    printf '['
    for ticket in "$state"/tickets/*; do
        [ -d "$ticket" ] || continue
        id=${ticket##*/}
        [ "$(field "$id" status)" = "$1" ] || continue
        printf '%s' "$separator"
        row "$id"
        separator=,
    done
    printf ']\n'
}
