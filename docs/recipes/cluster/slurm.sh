#!/usr/bin/env bash
# Run Tertium on the nodes of one SLURM job; arguments are those of `tertium`:
#   sbatch slurm.sh score set.jsonl -m chrf -f json -o scores.json --checkpoint done
# Submit it from a folder that all nodes see. Options before the name of the script
# replace those below: sbatch --ntasks=256 slurm.sh ...
#SBATCH --job-name=tertium
#SBATCH --ntasks=64
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=2G
#SBATCH --time=04:00:00
#SBATCH --output=tertium-%j.log
set -euo pipefail

# A virtual environment with 'tertium[cluster]', on a disk that all nodes see.
export PATH="${TERTIUM_VENV:-$PWD/venv}/bin:$PATH"

# Whoever reaches a scheduler can run anything as you: this one lets in only those who
# have a key from a folder that nobody else can read.
run=$(mktemp -d "$PWD/tertium-$SLURM_JOB_ID.XXXXXX")
trap 'kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$run"' EXIT
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=tertium \
  -keyout "$run/key.pem" -out "$run/cert.pem" 2>/dev/null
tls=DASK_DISTRIBUTED__COMM__TLS
export ${tls}__CA_FILE="$run/cert.pem"
for role in SCHEDULER WORKER CLIENT; do
  export ${tls}__${role}__CERT="$run/cert.pem" ${tls}__${role}__KEY="$run/key.pem"
done

export DASK_LOGGING__DISTRIBUTED=warning

# The scheduler and the client need little; they run on the first node beside workers.
# Where nodes share several networks, name the fast one in both: --interface ib0
dask scheduler --protocol tls --port 0 --no-dashboard \
  --scheduler-file "$run/scheduler.json" &
scheduler=$!
until [ -s "$run/scheduler.json" ]; do
  kill -0 "$scheduler"  # or the script ends here
  sleep 0.2
done

# One worker per task of the job; without --mem-per-cpu, only SLURM limits its memory.
memory=$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_PER_TASK:-1}))
srun dask worker --scheduler-file "$run/scheduler.json" --protocol tls \
  --nthreads "${SLURM_CPUS_PER_TASK:-1}" --memory-limit "${memory}MB" --no-dashboard \
  --local-directory "${TMPDIR:-/tmp}" &

tertium "$@" --cluster "$run/scheduler.json"
