# Sourced by the scripts beside it, which set $root first. POSIX sh.

say() {
    printf 'pegboard: %s\n' "$*" >&2
}

# Make .venv hold the project and the extras named; silent when it already does.
set_up() {
    if [ -x "$root/.venv/bin/python" ] &&
        "$root/.venv/bin/python" -I -S "$root/scripts/environment.py" check "$@" 2>/dev/null; then
        return
    fi
    find_python
    "$python" -I "$root/scripts/environment.py" make "$@"
}

# Set $python to the first Python that can make the environment, or end with what is missing.
find_python() {
    without_venv=
    for python in python3.13 python3.12 python3.11 python3; do
        "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 || continue
        "$python" -c 'import ensurepip, venv' >/dev/null 2>&1 && return
        without_venv=${without_venv:-$python}
    done
    if [ -n "$without_venv" ]; then
        say "$without_venv lacks the module venv. On Debian and Ubuntu: apt-get install python3-venv"
    else
        say "Python 3.11 or later is needed; found $(python3 --version 2>/dev/null || echo none)"
    fi
    exit 1
}
