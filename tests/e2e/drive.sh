#!/usr/bin/env bash
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Drives the real program on a screen of its own with real mouse and key events, and takes a picture after every
# step, to be looked at. Not a test: where things lie is the default layout's. Needs Xvfb, openbox, xdotool and
# ImageMagick.
#
#   tests/e2e/drive.sh build/dev/app/pipewright PICTURES
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(realpath -- "$1")
mkdir -p -- "$2"
pictures=$(realpath -- "$2")
work=$(mktemp -d)
started=()
finish() {
    kill "${started[@]}" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf -- "$work"
}
trap finish EXIT

# The server names a free display on the descriptor.
Xvfb -displayfd 3 -screen 0 1600x1040x24 3>"$work/display" 2>/dev/null &
started+=($!)
until [[ -s $work/display ]]; do sleep 0.1; done
DISPLAY=:$(<"$work/display")
export DISPLAY PIPEWRIGHT_CONFIG_DIR=$work/config PIPEWRIGHT_DATA_DIR=$work/data HOME=$work XDG_RUNTIME_DIR=$work
chmod 700 "$work"
unset QT_QPA_PLATFORM WAYLAND_DISPLAY
openbox 2>/dev/null &
started+=($!)
"$program" &
started+=($!)
window=$(xdotool search --sync --onlyvisible --name Pipewright | tail -1)
xdotool windowactivate --sync "$window" windowsize --sync "$window" 1600 1000
sleep 1.5

step=0 # of the pictures
shot() { # name [seconds to settle]
    sleep "${2:-0.7}"
    step=$((step + 1))
    import -window root "$pictures/$(printf %02d "$step")-$1.png"
}
at() { xdotool mousemove "$1" "$2"; }
click() { at "$1" "$2" && xdotool click 1 && sleep 0.25; }
shift_click() { xdotool keydown shift && click "$1" "$2" && xdotool keyup shift; }
keys() { xdotool key --delay 60 "$@" && sleep 0.25; }
text() { xdotool type --delay 15 "$1" && sleep 0.15; }
drag() { # from to, slowly enough for drag and drop
    at "$1" "$2" && xdotool mousedown 1
    for i in 1 2 3 4 5 6 7 8; do
        at $(($1 + ($3 - $1) * i / 8)) $(($2 + ($4 - $2) * i / 8))
        sleep 0.06
    done
    sleep 0.2 && xdotool mouseup 1 && sleep 0.4
}

shot start
keys ctrl+n; shot empty 1.2
click 97 986; click 200 509; text A100-SXM4-40; shot palette
drag 95 562 190 200; shot dragged
at 190 380; keys n; sleep 0.7; keys 2 shift+Tab; text 4; keys shift+Tab; text V100-SXM2-16; shot dialog
keys Return; sleep 0.7; at 290 235; keys s; at 20 150; shot switch
keys l; click 80 270; at 291 242; shot linking; click 291 242
click 153 357; click 291 242; click 313 357; click 291 242; keys v; at 20 150; shot linked
keys ctrl+z ctrl+z; shot undone; keys ctrl+shift+z ctrl+shift+z
click 1375 339; click 560 987; sleep 0.6; shot model
click 1504 776; sleep 1; text "$root/samples/models/hf/gpt-neo-2.7b/config.json"; shot file-dialog; keys Return; shot imported 1
click 625 987; sleep 0.5; click 998 920; sleep 0.5; shot menu; keys Down Return; sleep 1
text "$root/samples/profiles/sailor/GPT-Neo-2.7/A100-40/profile.json"; keys Return; sleep 1; shot rows; keys Return; shot profile 1
click 459 777; sleep 0.4; keys Down Return; sleep 1
text "$root/samples/profiles/sailor/GPT-Neo-2.7/V100-16/profile.json"; keys Return; sleep 1; keys Return; sleep 0.5
click 560 987; click 596 902; sleep 0.4; keys Down Return; shot recipe
click 424 987; keys F5; shot running 0.25; shot found 5
click 700 791; keys Down; shot selected 1
keys ctrl+e; shot export 1.5
click 440 254; shot trace
click 400 776; keys ctrl+a; text "$work/export"; keys Return; shot exported
keys Escape ctrl+s; sleep 1; text "$work/drawn.pwx"; keys Return; shot saved
ls -l "$work/export" "$work/drawn.pwx"
