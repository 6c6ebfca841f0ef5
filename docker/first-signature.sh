#!/usr/bin/env bash
# What a newcomer does, on the clock: takes the committed files to an empty folder, runs the commands of README.md, and has
# ethers verify a signature. Fails where that takes the processor longer than LIMIT_SECONDS (120), or three times as long by
# the clock.
#
#   bash docker/first-signature.sh
set -euo pipefail
cd "$(dirname "$0")/.."

limit=${LIMIT_SECONDS:-120}
work=$(mktemp -d)
service_pid=''

# npm runs the build and the service as processes of its own: the whole group ends.
stop() {
  [ -n "$service_pid" ] || return 0
  kill -TERM -- "-$service_pid" 2>/dev/null || true
  wait "$service_pid" || true
  service_pid=''
}
cleanup() {
  stop
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

fail() {
  echo "FAILED: $*" >&2
  [ ! -s "$work/log" ] || tail -n 40 "$work/log" >&2
  exit 1
}
# Of all commands that have ended: on a machine that does other work too, the clock shows more.
processor_seconds() {
  times >"$work/times"
  tail -n 1 "$work/times" | awk -F '[ms ]+' '{ printf "%d", $1 * 60 + $2 + $3 * 60 + $4 }'
}
step() { echo "$((SECONDS - started)) s: $*"; }

mkdir "$work/checkout"
git archive HEAD | tar -x -C "$work/checkout"
cd "$work/checkout"

# The commands are those of the README, so that this script fails when they change.
readme_line() { grep -m 1 -- "^$1" README.md || fail "README.md has no line that begins with: $1"; }
install=$(readme_line 'npm ci')
start=$(readme_line 'npm start')
sign=$(readme_line 'curl .*sign-typed-data.*verify-typed-data')

port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
# A machine that was never set up: no setting but the port, which may be taken here.
clean() { env -i PATH="$PATH" HOME="$HOME" HOST=127.0.0.1 PORT="$port" "$@"; }

started=$SECONDS
clean sh -c "$install" >"$work/log" 2>&1 || fail "$install"
step "$install"
# With job control each job is a group.
set -m
clean sh -c "exec $start" >"$work/log" 2>&1 &
set +m
service_pid=$!
until grep -q '^curl ' "$work/log"; do
  kill -0 "$service_pid" 2>/dev/null || fail 'the service ended'
  [ $((SECONDS - started)) -lt $((limit * 2)) ] || fail 'the service printed no command'
  sleep 0.2
done
step "$start"
verified=$(clean sh -c "${sign//:8080/:$port}") || fail "$sign"
step "$verified"

address=$(clean sh -c "curl -sS http://127.0.0.1:$port/api/v1/relayers -H \"Authorization: Bearer \$(cat data/api-key)\"" |
  node -p 'JSON.parse(require("fs").readFileSync(0)).data[0].address')
[ "$verified" = "signed by $address" ] || fail "$verified, and not $address"
seconds=$((SECONDS - started))
stop
processor_seconds >"$work/processor"
processor=$(cat "$work/processor")
echo "README to a verified signature: $seconds s, in which the processor worked $processor s for it"
if [ "$seconds" -gt "$limit" ]; then
  [ "$processor" -le "$limit" ] && [ "$seconds" -le $((limit * 3)) ] || fail "more than $limit s"
  echo "More than $limit s by the clock: the machine was doing other work, or the registry was slow"
fi
