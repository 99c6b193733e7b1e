"""A small C program, compiled once."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = """\
#include <stdio.h>

static int total;

static int add(int left, int right)
{
    int sum = left + right;
    return sum;
}

int main(int count, char **words)
{
    for (int i = 0; i < 3; i++) {
        total = add(total, i * 10);
        printf("total %d\\n", total);
    }
    while (count > 1 && words[1][0] == 'l')
        total++;
    int *nowhere = 0;
    if (count > 1 && words[1][0] == 'c')
        *nowhere = 1;
    return 7;
}
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for command in ("gdb", "cc"):
        if shutil.which(command) is None:
            pytest.skip(f"{command} is not installed")
    folder = tmp_path_factory.mktemp("debugged")
    (folder / "sums.c").write_text(SOURCE)
    subprocess.run(["cc", "-g", "-O0", "-o", "sums", "sums.c"], cwd=folder, check=True)
    subprocess.run(["cc", "-O0", "-s", "-o", "bare", "sums.c"], cwd=folder, check=True)
    return folder
