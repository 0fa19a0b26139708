# Sourced by start and test: installs what is missing on Debian, and says so before it does.

# need COMMAND-OR-PACKAGES: `need cc:gcc libegl1` wants the command cc from the package gcc, and the package libegl1.
need() {
    missing=''
    for item in "$@"; do
        command=${item%%:*}
        package=${item#*:}
        if [ "$item" != "$package" ]; then
            command -v "$command" >/dev/null 2>&1 || missing="$missing $package"
        elif command -v dpkg-query >/dev/null 2>&1; then
            dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
        fi
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "Missing here:$missing (names of Debian's packages). There is no apt to install them with; install them by hand." >&2
        exit 1
    fi
    as_root=''
    if [ "$(id -u)" -ne 0 ]; then
        as_root='sudo'
        if ! command -v sudo >/dev/null 2>&1; then
            echo "Missing here:$missing. Installing them takes root or sudo." >&2
            exit 1
        fi
    fi
    echo "Installing through apt:$missing"
    # A list that is already fresh need not be fetched; where the install fails for want of it, it is.
    install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing"
    $install || { $as_root apt-get update -q && $install; }
}

# need_rust: cargo, at least of the version that the workspace names, and the tools it is asked for.
need_rust() {
    if ! command -v cargo >/dev/null 2>&1; then
        echo "Rust is missing: install it by rustup, then run this again." >&2
        exit 1
    fi
    for tool in "$@"; do
        if ! cargo "$tool" --version >/dev/null 2>&1; then
            component=$tool
            [ "$tool" != fmt ] || component=rustfmt
            if ! command -v rustup >/dev/null 2>&1; then
                echo "cargo $tool is missing: install your Rust's $component." >&2
                exit 1
            fi
            echo "Installing through rustup: $component"
            rustup component add "$component"
        fi
    done
}

# What the build links with, and what the window loads when it opens.
BUILD_NEEDS='cc:gcc libc6-dev pkg-config:pkg-config'
WINDOW_NEEDS='libgl1 libegl1 libgl1-mesa-dri libx11-6 libx11-xcb1 libxcb1 libxcursor1 libxi6 libxrandr2
    libxkbcommon0 libxkbcommon-x11-0 libwayland-client0 libwayland-egl1 libwayland-cursor0'
# What measuring starts: svn, svnserve, svnadmin and svnbench are one package.
RUNNER_NEEDS='svnbench:subversion'
# What the tests open windows and draw snapshots with.
TEST_NEEDS='xvfb-run:xvfb xauth:xauth libvulkan1 mesa-vulkan-drivers'
