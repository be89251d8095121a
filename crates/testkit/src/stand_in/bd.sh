# The documented commands of beads:
#   list --status STATUS, show ID..., update ID... [--status STATUS | --claim], close [ID...]

find_store .beads

row() {
    printf '{"id":"%s","title":%s,"description":%s,"status":"%s","priority":2,' \
        "$1" "$(field "$1" title)" "$(field "$1" description)" "$(field "$1" status)"
    printf '"issue_type":"task","created_at":"2026-01-02T00:00:00Z",'
    printf '"updated_at":"2026-01-02T03:04:%02dZ"}' "$(field "$1" changed)"
}

command=
ids=
status=
echo "$*" >>"$state/calls"
while [ $# -gt 0 ]; do
    case $1 in
    --json | -q | --quiet | --force | -f) ;;
    --status=*) status=${1#*=} ;;
    --status | -s)
        status=$2
        shift
        ;;
    --claim) status=in_progress ;;
    --reason | -r)
        shift
        ;;
    --reason=*) ;;
    -*) fail "unknown flag: $1" ;;
    *) if [ -z "$command" ]; then command=$1; else ids="$ids $1"; fi ;;
    esac
    shift
done

misbehave "$command"
case $command in
list) rows "$status" ;;
show)
    separator=
    for id in $ids; do must_exist "$id"; done
    printf '['
    for id in $ids; do
        printf '%s' "$separator"
        row "$id"
        separator=,
    done
    printf ']\n'
    ;;
close | done | complete)
    [ -n "$ids" ] || ids=$(cat "$state/last")
    for id in $ids; do
        set_status "$id" closed
        echo "✓ Closed $id"
    done
    ;;
update)
    for id in $ids; do
        set_status "$id" "$status"
        echo "✓ Updated issue: $id"
    done
    ;;
*) fail "unknown command \"$command\" for \"bd\"" ;;
esac
