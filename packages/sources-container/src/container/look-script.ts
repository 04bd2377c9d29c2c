/**
 * What runs in the container: POSIX `sh` with `sha256sum`, `readlink`, `head` and `wc`, which busybox has, too. It is one
 * constant text; paths come as arguments and are never part of a command. Links are resolved only where a path has one,
 * so that most files cost no process before they are measured.
 *
 * Arguments: a mark, bytes that the files of one answer may have together, bytes of one file's text, bytes of a file that
 * is hashed, roots on lines of their own with a slash at their end; then for each file `content` or `existence`, the hash
 * that is known or `-`, and the path. Answers, in order: `MARK WORD [HASH SIZE]` on a line, after `text` the bytes and a
 * line end; at the end `MARK end`.
 */
export const lookScript = `
LC_ALL=C; export LC_ALL
mark=$1 answer=$2 content=$3 hashed=$4 roots=$5; shift 5
total=0; set -f
newline='
'
say() { printf '%s %s\\n' "$mark" "$1"; }
for program in sha256sum readlink head wc; do
  command -v "$program" >/dev/null 2>&1 || { say lacking; exit 0; }
done
real_roots=
IFS=$newline
for root in $roots; do
  there=$(cd -P -- "$root" 2>/dev/null && pwd -P) && real_roots=$real_roots\${there%/}/$newline
done
inside() {
  case $1/ in /proc/*|/sys/*|/dev/*) return 1 ;; esac
  for root in $real_roots; do case $1/ in "$root"*) return 0 ;; esac; done
  return 1
}
missing() {
  for root in $roots; do case $1/ in "$root"*) [ -d "$root" ] && found=1 ;; esac; done
  [ -n "$found" ] || { say noroot; return; }
  below=$1 above=\${1%/*}
  while [ -n "$above" ] && [ ! -e "$above" ]; do below=$above above=\${above%/*}; done
  above=\${above:-/}
  if [ -L "$below" ]; then say broken
  elif [ -d "$above" ] && [ ! -x "$above" ]; then say denied
  elif [ -d "$above" ] && ! inside "$(cd -P -- "$above" && pwd -P)"; then say outside
  else say absent; fi
}
look() {
  want=$1 known=$2 path=$3 real=$3 found= at= rest=\${3#/}
  while :; do
    at=$at/\${rest%%/*}
    if [ -L "$at" ]; then
      [ -e "$path" ] || { missing "$path"; return; }
      real=$(readlink -f -- "$path" && echo x) || { say failed; return; }
      real=\${real%?x}
      inside "$real" || { say outside; return; }
      break
    fi
    case $rest in */*) rest=\${rest#*/} ;; *) break ;; esac
  done
  [ -e "$real" ] || { missing "$path"; return; }
  [ ! -d "$real" ] || { say folder; return; }
  [ -f "$real" ] || { say special; return; }
  [ "$want" = content ] || { say exists; return; }
  [ -r "$real" ] || { say denied; return; }
  size=$(wc -c <"$real") && size=$((size)) || { say failed; return; }
  [ "$size" -le "$hashed" ] || { say huge; return; }
  hash=$(sha256sum <"$real") || { say failed; return; }
  hash=\${hash%% *}
  if [ "$hash" = "$known" ]; then say "same $hash"
  elif [ "$size" -gt "$content" ]; then say "large $hash"
  elif [ "$total" -gt 0 ] && [ $((total + size)) -gt "$answer" ]; then say later
  else
    total=$((total + size))
    say "text $hash $size"
    head -c "$size" <"$real"
    echo
  fi
}
while [ $# -ge 3 ]; do
  look "$1" "$2" "$3" 2>/dev/null
  shift 3
done
say end
`;

/**
 * Runs the script, and ends it in the container if that has a suitable `timeout`: ending an exec does not end the
 * program inside. Arguments: seconds, the script, and the script's arguments.
 */
export const boundedScript = `
seconds=$1 script=$2; shift 2
if timeout -s KILL 1 true 2>/dev/null; then exec timeout -s KILL "$seconds" sh -c "$script" cm "$@"; fi
exec sh -c "$script" cm "$@"
`;
