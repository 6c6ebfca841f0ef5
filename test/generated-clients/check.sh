#!/usr/bin/env bash
# Generates clients from docs/openapi.json, type-checks them, has them list relayers, sign and read a failure on a service of
# their own, and prints how many models each has. Types that openapi-typescript generates, as README.md says, are only
# checked. Needs a build. The generator for Python comes from PyPI.
#
#   bash test/generated-clients/check.sh [typescript] [python]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/test/generated-clients
tools=$root/build/tools/generators
work=$(mktemp -d)
service_pid=''
cleanup() {
  [ -z "$service_pid" ] || kill "$service_pid" 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

fail() {
  echo "FAILED: $*" >&2
  tail -n 20 "$work/log" >&2
  exit 1
}

start_service() {
  port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
  # The folder that a service is started in gets its data and a generated API key.
  (cd "$work" && exec env -i PATH="$PATH" HOST=127.0.0.1 PORT="$port" node "$root/dist/main.js" >"$work/log" 2>&1) &
  service_pid=$!
  for _ in $(seq 300); do
    if curl -fsS -o "$work/ready" "http://127.0.0.1:$port/v1/ready" 2>/dev/null; then
      export SERVICE_URL="http://127.0.0.1:$port" API_KEY_FILE="$work/data/api-key"
      return
    fi
    sleep 0.2
  done
  fail 'the service does not get ready'
}

typescript() {
  [ -x "$tools/node_modules/.bin/swagger-typescript-api" ] ||
    npm install --no-save --no-audit --no-fund --ignore-scripts --prefix "$tools" swagger-typescript-api@13.13.0
  "$tools/node_modules/.bin/swagger-typescript-api" generate --path "$root/docs/openapi.json" --output "$work/typescript" --name api.ts >"$work/log"
  cp "$here/client.ts" "$work/typescript/"
  ln -s "$root/node_modules" "$work/node_modules"
  (cd "$work/typescript" && "$root/node_modules/.bin/tsc" --strict --target es2022 --lib es2023,dom --module commonjs \
    --ignoreDeprecations 6.0 --moduleResolution node10 --types node --outDir js client.ts)
  echo "TypeScript: $(grep -cE '^export (interface|type|enum) ' "$work/typescript/api.ts") models, type-checked"
  node "$work/typescript/js/client.js"
  openapi_typescript
}

openapi_typescript() {
  mkdir "$work/types"
  cp "$here/openapi-typescript.ts" "$work/types/"
  (
    # Elsewhere than in the project, whose redocly.yaml has rules for the document that a reader does not have.
    cd "$work/types"
    "$root/node_modules/.bin/openapi-typescript" "$root/docs/openapi.json" --default-non-nullable=false --output schema.ts >"$work/log" 2>&1
    "$root/node_modules/.bin/tsc" --strict --noEmit --target es2022 --lib es2023,dom --module esnext --moduleResolution bundler \
      --typeRoots . openapi-typescript.ts
  )
  echo 'openapi-typescript: type-checked'
}

python() {
  local venv=$tools/python
  if [ ! -x "$venv/bin/openapi-python-client" ]; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet openapi-python-client==0.29.1 mypy==2.4.1
  fi
  mkdir "$work/python"
  (
    cd "$work/python"
    # It warns of the export in NDJSON, whose text it leaves out.
    "$venv/bin/openapi-python-client" generate --path "$root/docs/openapi.json" --output-path relayer --meta none >"$work/log" 2>&1
    cp "$here/client.py" .
    "$venv/bin/mypy" --no-error-summary relayer client.py
    echo "Python: $(find relayer/models -name '*.py' ! -name '__init__.py' | wc -l) models, type-checked"
    "$venv/bin/python" client.py
  )
}

start_service
[ $# -gt 0 ] || set -- typescript python
for language in "$@"; do "$language"; done
