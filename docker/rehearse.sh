#!/usr/bin/env bash
# Takes the steps of the Dockerfile by hand, for a machine without a container engine, and tests the result: from the
# committed files, as an unprivileged user, on a read-only file system, in production mode, until it is stopped.
#
#   bash docker/rehearse.sh
#
# Without DATABASE_URL it starts a private MariaDB and stops it at the end; the database in DATABASE_URL is
# migrated. API_KEY and STORAGE_ENCRYPTION_KEY are taken from the environment or generated.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
chmod 755 "$work"
stages=$work/stages
image=$stages/final
node=$(node -p process.execPath)
service_pid=''
database_pid=''

ok() { echo "ok $*"; }
fail() {
  echo "FAILED: $*" >&2
  [ ! -s "$work/service.log" ] || sed 's/^/  service: /' "$work/service.log" >&2
  exit 1
}

stop() {
  [ -n "$1" ] && kill -0 "$1" 2>/dev/null || return 0
  kill -TERM "$1"
  for _ in $(seq 150); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$1"
}
cleanup() {
  stop "$service_pid"
  stop "$database_pid"
  wait
  chmod -R u+w "$work"
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

# --- The image -----------------------------------------------------------------------------------------------------

# COPY source… destination, within the stages; absolute sources are paths in another stage.
copy() {
  local from=$1 into=$2 target source
  target=$into/${*: -1}
  shift 2
  for source in "${@:1:$#-1}"; do
    source=$from/${source#/app/}
    if [ -d "$source" ]; then
      mkdir -p "$target"
      cp -a "$source/." "$target/"
    else
      [[ $target != */ ]] || mkdir -p "$target"
      cp -a "$source" "$target"
    fi
  done
}

# Supports only the instructions that the Dockerfile uses.
build_image() {
  local stage='' words started=$SECONDS
  while read -ra words; do
    case ${words[0]:-} in
      '' | '#'*) ;;
      FROM)
        stage=$stages/${words[3]:-final}
        mkdir -p "$stage"
        ;;
      COPY)
        if [[ ${words[1]} == --from=* ]]; then
          copy "$stages/${words[1]#--from=}" "$stage" "${words[@]:2}"
        elif [[ ${words[1]} == --chmod=* ]]; then
          copy "$stages/context" "$stage" "${words[@]:2}"
        else
          copy "$stages/context" "$stage" "${words[@]:1}"
        fi
        ;;
      RUN)
        [ "${words[1]}" = npm ] || fail "only npm is run here, not: ${words[*]}"
        (cd "$stage" && env -u NODE_ENV "${words[@]:1}") >"$work/build.log" 2>&1 || {
          cat "$work/build.log" >&2
          fail "${words[*]:1}"
        }
        ok "${words[*]:1} (stage ${stage##*/})"
        ;;
      # Without a container engine no build argument has a value.
      ENV) [[ ${words[1]} == *'$'* ]] || image_env+=("${words[1]}") ;;
      CMD) mapfile -t command < <(exec_form "${words[*]:1}") ;;
      HEALTHCHECK) mapfile -t healthcheck < <(exec_form "${words[*]}") ;;
      WORKDIR) [ "${words[1]}" = /app ] || fail "the folder of every stage is /app, not ${words[1]}" ;;
      ARG | LABEL | USER | EXPOSE | STOPSIGNAL) ;;
      *) fail "docker/Dockerfile has an instruction that this script does not know: ${words[0]}" ;;
    esac
  done <docker/Dockerfile
  ok "image built in $((SECONDS - started)) s, $(du -sm "$image" | cut -f1) MB without Node itself"
}

# The words of the JSON array at the end of an instruction.
exec_form() { node -p 'JSON.parse(process.argv[1].slice(process.argv[1].indexOf("["))).join("\n")' "$1"; }

image_env=()
mkdir -p "$stages/context"
mapfile -t context < <(sed -n 's/^!//p' .dockerignore)
git archive HEAD -- "${context[@]}" | tar -x -C "$stages/context"
build_image
[ ! -e "$image/src" ] && [ ! -e "$image/node_modules/@nestjs/cli" ] || fail 'sources or build tools are in the image'
chmod -R a-w "$image"
[ "$(id -u)" != 0 ] || chown -R 0:0 "$image"
list_tree() { find "$image" -printf '%p %s %m %U %T@ %C@\n' | sort; }
list_tree >"$work/tree.before"

# --- Running it ----------------------------------------------------------------------------------------------------

confine=()
if [ "$(id -u)" != 0 ]; then
  ok "not root: everything runs as $(id -un), which owns the files"
else
  unprivileged=(setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all --)
  if ! "${unprivileged[@]}" "$node" -v >/dev/null 2>&1; then
    mkdir "$work/bin"
    cp "$node" "$work/bin/node"
    node=$work/bin/node
  fi
  # shellcheck disable=SC2016 # the inner shell expands it
  read_only=(unshare --mount sh -c 'mount -o remount,bind,ro / && exec "$@"' sh)
  if "${read_only[@]}" true 2>/dev/null && ! "${read_only[@]}" touch "$work/probe" 2>/dev/null; then
    confine=("${read_only[@]}")
    ok 'the root file system is read-only for the service'
  else
    ok 'the root file system cannot be remounted here: only the files of the image are read-only'
  fi
  confine+=("${unprivileged[@]}")
  ok 'the service runs as user 65534 without capabilities'
fi

# Replaces the shell, so that the process id is that of the service.
run_in_image() {
  cd "$image"
  exec env -i PATH="$(dirname "$node"):/usr/bin:/bin" "${image_env[@]}" "$@"
}
in_image() { # variable… -- command…
  local variables=()
  while [ "$1" != -- ]; do
    variables+=("$1")
    shift
  done
  shift
  run_in_image "${variables[@]}" ${confine[@]+"${confine[@]}"} "$@"
}

# Node 24 of the image has the option, the local one may be older: there the service itself ignores the signal.
if ! "$node" --disable-sigusr1 -e 0 2>/dev/null; then
  command=("${command[@]/ --disable-sigusr1/}")
  ok "Node $("$node" -v) has no --disable-sigusr1: the command of the image is run without it"
fi

status=0
(in_image -- "${command[@]}") >"$work/refusal.out" 2>"$work/refusal.err" || status=$?
[ "$status" = 1 ] || fail "without settings the exit code is $status"
for variable in API_KEY DATABASE_URL STORAGE_ENCRYPTION_KEY; do
  [ "$(grep -c "^$variable " "$work/refusal.err")" = 1 ] || fail "not one line for $variable: $(cat "$work/refusal.err")"
done
[ "$(wc -l <"$work/refusal.err")" = 3 ] || fail "more than the missing variables: $(cat "$work/refusal.err")"
ok 'without API_KEY, DATABASE_URL and STORAGE_ENCRYPTION_KEY: exit code 1, one line for each'

if [ -z "${DATABASE_URL:-}" ]; then
  command -v mariadbd >/dev/null || PATH=$PATH:/usr/sbin
  command -v mariadbd >/dev/null || fail 'install mariadb-server or set DATABASE_URL'
  as_root=()
  [ "$(id -u)" != 0 ] || as_root=(--user=root)
  data=$work/mariadb
  password=$(node -p 'crypto.randomBytes(16).toString("hex")')
  database_port=$(free_port)
  mariadb-install-db --no-defaults --datadir="$data" --auth-root-authentication-method=normal --skip-test-db \
    ${as_root[@]+"${as_root[@]}"} >"$work/mariadb.log" 2>&1 || fail "$(cat "$work/mariadb.log")"
  mariadbd --no-defaults ${as_root[@]+"${as_root[@]}"} --datadir="$data" --socket="$work/mariadb.sock" --tmpdir="$work" \
    --port="$database_port" --bind-address=127.0.0.1 --skip-log-bin --skip-name-resolve \
    --innodb-fast-shutdown=2 --innodb-log-file-size=16M --character-set-server=utf8mb4 >>"$work/mariadb.log" 2>&1 &
  database_pid=$!
  for _ in $(seq 200); do
    kill -0 "$database_pid" 2>/dev/null || fail "$(cat "$work/mariadb.log")"
    mariadb --no-defaults -uroot -S "$work/mariadb.sock" -e 'SELECT 1' >/dev/null 2>&1 && break
    sleep 0.1
  done
  mariadb --no-defaults -uroot -S "$work/mariadb.sock" <<SQL
CREATE DATABASE relayer CHARACTER SET utf8mb4;
CREATE USER relayer@'127.0.0.1' IDENTIFIED BY '$password';
GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON relayer.* TO relayer@'127.0.0.1';
SQL
  DATABASE_URL=mysql://relayer:$password@127.0.0.1:$database_port/relayer
  ok "a private MariaDB listens on port $database_port"
fi

: "${API_KEY:=$(node -p 'crypto.randomBytes(32).toString("hex")')}"
: "${STORAGE_ENCRYPTION_KEY:=$(node -p 'crypto.randomBytes(32).toString("base64")')}"
port=$(free_port)
url=http://127.0.0.1:$port
settings=(API_KEY="$API_KEY" DATABASE_URL="$DATABASE_URL" STORAGE_ENCRYPTION_KEY="$STORAGE_ENCRYPTION_KEY" PORT="$port")

started=$SECONDS
in_image "${settings[@]}" -- "${command[@]}" >"$work/service.log" 2>&1 &
service_pid=$!
status_of() { curl -s -o "$work/answer" -w '%{http_code}' --max-time 5 "$@" || true; }
until [ "$(status_of "$url/v1/ready")" = 200 ]; do
  kill -0 "$service_pid" 2>/dev/null || fail 'the service ended before it was ready'
  [ $((SECONDS - started)) -lt 60 ] || fail 'the service was not ready within 60 s'
  sleep 0.2
done
ok "ready after $((SECONDS - started)) s on Node $("$node" -v): $(cat "$work/answer")"

grep -Eq '^Max core file size +0 +0 ' "/proc/$service_pid/limits" || fail 'a crash would write the memory into a core file'
kill -USR1 "$service_pid"
sleep 0.5
[ "$(status_of "$url/v1/ready")" = 200 ] || fail 'the service does not survive SIGUSR1'
! grep -q 'Debugger listening' "$work/service.log" || fail 'SIGUSR1 opens the inspector'
ok 'no core files, and no inspector on SIGUSR1'

(in_image PORT="$port" -- "${healthcheck[@]}") || fail 'the health check of the image fails'
if (in_image PORT="$(free_port)" -- "${healthcheck[@]}") 2>/dev/null; then fail 'the health check passes where nothing listens'; fi
ok 'the health check passes, and fails where nothing listens'

[ "$(status_of "$url/api/v1/relayers")" = 401 ] || fail 'a list without a token is not refused'
[ "$(status_of -H "Authorization: Bearer $API_KEY" "$url/api/v1/relayers")" = 200 ] || fail 'no list of relayers'
ok 'relayers: 401 without the token, 200 with it'

engine=$(sed -n 's/.*"message":"Signing engine".*"engine":"\([a-z]*\)".*/\1/p' "$work/service.log")
[ -n "$engine" ] || fail 'the log does not tell the signing engine'
for forced in "$engine" wasm; do
  # shellcheck disable=SC2016 # the inner program expands it
  (in_image SIGNING_ENGINE="$forced" -- node -e '
    const { chooseEngine } = require("./dist/signers/secp256k1/choose-engine.js");
    chooseEngine(process.env.SIGNING_ENGINE).catch(() => process.exit(1));
  ') || fail "the signing engine $forced does not work in the image"
done
ok "signing engine: $engine, and wasm works too"

prometheus='application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2'
[ "$(status_of -H "Accept: $prometheus" "$url/metrics")" = 200 ] || fail 'no metrics'
grep -q '^# HELP http_requests_total' "$work/answer" || fail 'the metrics are not in the format of Prometheus'
ok 'metrics: Prometheus gets its own format'

stopped=$SECONDS
kill -TERM "$service_pid"
while kill -0 "$service_pid" 2>/dev/null; do
  [ $((SECONDS - stopped)) -le 12 ] || fail 'the service did not stop within 12 s'
  sleep 0.1
done
status=0
wait "$service_pid" || status=$?
service_pid=''
[ "$status" = 0 ] || fail "after SIGTERM the exit code is $status"
ok "SIGTERM: exit code 0 after $((SECONDS - stopped)) s"

list_tree >"$work/tree.after"
cmp -s "$work/tree.before" "$work/tree.after" || fail "files were changed: $(diff "$work/tree.before" "$work/tree.after")"
ok 'nothing was written into the image'
for secret in "$API_KEY" "$STORAGE_ENCRYPTION_KEY" "$DATABASE_URL"; do
  ! grep -qF "$secret" "$work/service.log" "$work/refusal.out" "$work/refusal.err" || fail 'a secret is in the log'
done
ok "no secret is in the $(wc -l <"$work/service.log") lines of the log"
