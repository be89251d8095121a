# The documented commands of tissue:
#   list --status STATUS, show ID, status ID STATUS, edit ID --status STATUS

find_store .tissue

row() {
    printf '{"id":"%s","status":"%s","title":%s,"updated_at":%s,"priority":2,"tags":"","body":%s}' \
        "$1" "$(field "$1" status)" "$(field "$1" title)" "$(field "$1" changed)" \
        "$(field "$1" description)"
}

command=
id=
status=
echo "$*" >>"$state/calls"
while [ $# -gt 0 ]; do
    case $1 in
    --json | --quiet) ;;
    --status)
        status=$2
        shift
        ;;
    -*) fail "unknown flag: $1" ;;
    *) if [ -z "$command" ]; then command=$1; elif [ -z "$id" ]; then id=$1; else status=$1; fi ;;
    esac
    shift
done

misbehave "$command"
case $status in
'' | open | in_progress | paused | duplicate | closed) ;;
*) fail "invalid status: $status" ;;
esac
case $command in
list) rows "$status" ;;
show)
    must_exist "$id"
    printf '{"issue":%s,"comments":[],"deps":[]}\n' "$(row "$id")"
    ;;
status | edit)
    set_status "$id" "$status"
    echo "$id"
    ;;
*) fail "unknown command: $command" ;;
esac
