#!/bin/bash
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# Stands for torchrun: prints what is started, which must be there as a file or as a module of PYTHONPATH, and
# so must the configuration that torchtitan is given.
set -euo pipefail
while [[ $1 == --* ]]; do
    shift
done
if [[ $1 == bash ]]; then # a script of the folder between, which is told the process
    [[ -f $2 ]] || exit 5
    shift 2
fi
if [[ $1 == -m ]]; then
    entry=${2//.//}.py
    IFS=: read -ra folders <<<"$PYTHONPATH"
    for folder in "${folders[@]}"; do
        if [[ -f $folder/$entry ]]; then
            echo "$folder/$entry"
        fi
    done
    module=$(sed -n 's/.*--module \([a-z]*\).*/\1/p' <<<"$*")
    [[ -z $module || -f ${folders[0]}/$module.py ]] || exit 3
    config=$(sed -n 's/.*--job.config_file \([^ ]*\).*/\1/p' <<<"$*")
    [[ -z $config || -f $config ]] || exit 4
elif [[ -f $1 ]]; then
    echo "$PWD/$1"
fi
printf '%s\n' "$@"
