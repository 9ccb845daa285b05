#!/bin/bash
# Joins the parts that slurm.sh left, and applies the gate to the whole: the exit code of this job is the decision.
# It starts after all parts, also after those that found failures (afterany, not afterok). A part that is missing, or
# that did not finish, is an error here.
#
#SBATCH --job-name=plumbline-merge
#SBATCH --mem=1G
#SBATCH --output=merged.log

exec plumbline merge out-*/ --out merged --gate
