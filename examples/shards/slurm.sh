#!/bin/bash
# One run in eight parts, as a Slurm job array. In a folder that all nodes see:
#
#   job=$(sbatch --parsable slurm.sh)
#   sbatch --dependency=afterany:$job merge.sh
#
# Arguments of slurm.sh go to plumbline: sbatch slurm.sh --backend cpu --profile nightly
#
#SBATCH --job-name=plumbline
#SBATCH --array=1-8
#SBATCH --cpus-per-task=1
# Enough for the backend cpu; another one may need more.
#SBATCH --mem-per-cpu=2G
#SBATCH --output=out-%a.log
# After the failure of a node or `scontrol requeue JOB_3`, a part runs again from its beginning and replaces its folder.
# Slurm does not do this by itself for a part whose process alone was killed.
#SBATCH --requeue
#SBATCH --open-mode=append

# `--shard auto` takes the number of the part from the array. To run one part again, requeue it: a new array with only
# that part (`sbatch --array=3 slurm.sh`) would be an array of one part, and would do all of the work.
# `PLUMBLINE_SHARD=3/8 sbatch --array=3 slurm.sh` says which part it is.
if [ $# -eq 0 ]; then
    set -- --backend cpu --profile ci
fi
# exec: the signal with which Slurm ends a task reaches plumbline, which then writes what it has.
exec plumbline conformance "$@" --shard auto --out "out-$SLURM_ARRAY_TASK_ID" --jobs "${SLURM_CPUS_PER_TASK:-1}"
