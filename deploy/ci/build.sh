#!/usr/bin/env bash
# Builds the site with its index on a host that runs one command: Netlify, Vercel, Cloudflare Pages. Copy it to ci/build.sh.
set -euo pipefail

for python in python3.13 python3.12 python3.11 python3; do
  if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then break; fi
  python=
done
if [ -z "$python" ]; then
  echo "No Python 3.11 or later is here. Choose one in the host's settings (PYTHON_VERSION=3.13)." >&2
  exit 1
fi

# These hosts keep node_modules from build to build: packages, the model, vectors of texts that have not changed.
cache=$PWD/node_modules/.cache/pincite
export PINCITE_CACHE_DIR=$cache HF_HOME=$cache/huggingface PIP_CACHE_DIR=$cache/pip

venv=$(mktemp -d)
"$python" -m venv "$venv"
# What is installed; a path or a wheel's URL in PINCITE_REQUIREMENT tries another Pincite.
"$venv/bin/pip" install --quiet "${PINCITE_REQUIREMENT:-pincite[index]}"
export PATH=$venv/bin:$PATH
npm run build # without the plugin, also: pincite index build
pincite inspect build/pincite
