"""Prepare .venv and Qt's system libraries: what `make setup` does.

It needs nothing but Python's standard library, goes on where an interrupted run stopped, and does nothing when all is
in place. It stays readable for Python 3.8, so that an older `python3` can find a newer one and hand over to it.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
LOCK = ROOT / "requirements.lock"
STAMP = VENV / "setup.stamp"
OLDEST = (3, 11)
NEWER_PYTHONS = ("python3.14", "python3.13", "python3.12", "python3.11")

# Debian package of each system library: what Qt needs to start at all, what a window needs, what the engine needs.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libxkbcommon.so.0": "libxkbcommon0",
}
WINDOW_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
ENGINE_LIBRARIES = {"libgomp.so.1": "libgomp1"}


class SetupError(Exception):
    """Setup cannot go on; the text says why and what to do."""


def say(text: str) -> None:
    """Print one line of progress."""
    print(f"setup: {text}", flush=True)


def state() -> str:
    """What the environment is made from; a change of it asks for another setup."""
    digest = hashlib.sha256(str(ROOT).encode())
    for path in (LOCK, ROOT / "pyproject.toml", Path(__file__)):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_ready(wanted: str) -> bool:
    """Whether a finished setup of this state is in place."""
    return (
        STAMP.is_file()
        and STAMP.read_text() == wanted
        and (VENV / "bin/python").exists()
        and (VENV / "bin/blockwright").exists()
    )


def use_new_enough_python() -> None:
    """Replace this process by one of a Python that is new enough.

    Raises:
        SetupError: there is none.
    """
    if sys.version_info >= OLDEST:
        return
    probe = f"import sys; sys.exit(sys.version_info < {OLDEST})"
    for name in NEWER_PYTHONS:
        found = shutil.which(name)
        if found and subprocess.run([found, "-c", probe], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            os.execv(found, [found, *sys.argv])
    raise SetupError(
        f"Python 3.11 or newer is needed, and python3 is {sys.version.split()[0]}.\n"
        "Install one, for example with: sudo apt-get install python3.11 python3.11-venv"
    )


def root_prefix() -> list[str] | None:
    """What to put before a command that needs root, or None where we may not."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        sudo = ["sudo", "-n"]
        if subprocess.run([*sudo, "true"], capture_output=True, check=False).returncode == 0:
            return sudo
    return None


def apt_install(packages: list[str]) -> bool:
    """Install Debian packages where that is allowed without asking for a password; say whether it worked."""
    prefix = root_prefix()
    if prefix is None or not shutil.which("apt-get"):
        return False
    say(f"installing system packages: {' '.join(packages)}")
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    install = [*apt, "install", "-y", "--no-install-recommends", *packages]
    if subprocess.run(install, capture_output=True, check=False).returncode == 0:
        return True
    # The package lists of a fresh machine are empty or old.
    subprocess.run([*apt, "update"], capture_output=True, check=False)
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stderr.strip(), file=sys.stderr)
    return done.returncode == 0


def venv_works() -> bool:
    """Whether .venv was made completely, and here: its scripts hold absolute paths."""
    try:
        done = subprocess.run([VENV / "bin/pip", "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return False
    return done.returncode == 0 and str(VENV) in done.stdout


def make_venv() -> None:
    """Create .venv, with the Debian package that holds Python's venv module where it is missing.

    Raises:
        SetupError: the environment cannot be created.
    """
    if venv_works():
        return
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    probe = [sys.executable, "-c", "import ensurepip, venv"]
    if subprocess.run(probe, capture_output=True, check=False).returncode != 0:
        package = f"python{version}-venv"
        if not apt_install([package]):
            raise SetupError(f"Python's venv module is missing. Paste:\n  sudo apt-get install {package}")
    say(f"creating .venv with Python {version}")
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"Python could not create {VENV}:\n{(done.stdout + done.stderr).strip()}")


def pip_install(*arguments: str, expected: int = 0) -> None:
    """Run pip, showing how many of the expected packages it has seen.

    Raises:
        SetupError: pip failed; its last lines are in the text.
    """
    command = [str(VENV / "bin/python"), "-m", "pip", "install", "--disable-pip-version-check", *arguments]
    lines: list[str] = []
    seen = 0
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as pip:
        for line in pip.stdout or ():
            lines.append(line.rstrip())
            if re.match(r"Collecting |Requirement already satisfied: ", line):
                seen += 1
                if expected and sys.stdout.isatty():
                    print(f"\rsetup: {min(seen, expected)} of {expected} packages", end="", flush=True)
            elif line.startswith("Installing collected packages") and expected and sys.stdout.isatty():
                print("\rsetup: all packages fetched, unpacking", end="", flush=True)
    if expected and sys.stdout.isatty():
        print("\r\033[K", end="", flush=True)
    if pip.returncode != 0:
        raise SetupError(
            "pip could not install the packages; what it has fetched stays, so run this again once the cause is gone:\n"
            + "\n".join(lines[-8:])
        )


def install_packages() -> None:
    """Install the locked packages and this project, editable."""
    expected = len(re.findall(r"^[\w.-]+==", LOCK.read_text(), re.MULTILINE))
    say(f"installing {expected} locked packages (a minute or two the first time)")
    pip_install("--require-hashes", "-r", str(LOCK), expected=expected)
    pip_install("--no-deps", "--no-build-isolation", "-e", ".")


def missing(libraries: dict[str, str]) -> list[str]:
    """The Debian packages of those libraries that the dynamic linker cannot load."""
    packages = []
    for library, package in libraries.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            packages.append(package)
    return packages


def provide_system_libraries() -> None:
    """Install the system libraries that are missing, or say how.

    Raises:
        SetupError: one is missing without which Qt does not start.
    """
    wanted = missing({**QT_LIBRARIES, **WINDOW_LIBRARIES, **ENGINE_LIBRARIES})
    if not wanted or apt_install(wanted):
        return
    paste = f"Paste:\n  sudo apt-get install {' '.join(wanted)}"
    if missing(QT_LIBRARIES):
        raise SetupError(f"Qt needs system libraries that are missing. {paste}")
    say(f"windows or the embedded model need more system libraries; all else works without. {paste}")


def main() -> int:
    """Run what is missing of the setup; return the exit status."""
    start = time.monotonic()
    try:
        use_new_enough_python()
        wanted = state()
        if not is_ready(wanted):
            make_venv()
            install_packages()
            provide_system_libraries()
            STAMP.write_text(wanted)
            say(f"done in {time.monotonic() - start:.0f} s")
        else:
            provide_system_libraries()
            say("ready")
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nsetup: stopped; run it again and it goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
