#!/usr/bin/env python3
"""Prints the notes of a release, from CHANGELOG.md: notes.py TAG [ADDRESS].

It fails unless TAG is the version of Cargo.toml after a v, every other file with the version has the same one, the
changelog has it with a date, and ADDRESS, the repository that this runs for, is the one in Cargo.toml.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Where else the version stands. (All the rest takes it from Cargo.toml.)
OTHERS = {"packaging/npm/package.json": r'"version": "(.*)"', "cli/Cargo.toml": r'^version = "(.*)"',
          "CITATION.cff": r"^version: (.*)"}


def first(path, pattern):
    found = re.search(pattern, (ROOT / path).read_text("utf-8"), re.M)
    return found[1] if found else None


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    version, address = first("Cargo.toml", r'^version = "(.*?)"'), first("Cargo.toml", r'^repository = "(.*?)"')
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    entry = re.search(rf"^## {re.escape(version)} \((.*)\)\n+(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    wrong = [f"{path} has version {found}, Cargo.toml {version}" for path, pattern in OTHERS.items()
             if (found := first(path, pattern)) != version]
    if sys.argv[1] != f"v{version}":
        wrong.append(f"the tag is {sys.argv[1]}, the version {version}")
    if not entry or not re.fullmatch(r"\d{4}-\d\d-\d\d", entry[1]):
        wrong.append(f"CHANGELOG.md has no line `## {version} (YYYY-MM-DD)`")
    if sys.argv[2:] not in ([], [address]):
        wrong.append(f"this is {sys.argv[2]}, and Cargo.toml says {address}")
    if wrong:
        sys.exit("\n".join(wrong))
    # A release's page breaks a line where the text does, and does not resolve links to files.
    text = re.sub(r"(?<=\S)\n *(?=[^\s|#-])", " ", entry[2].strip())
    print(re.sub(r"\]\((?!https?:)", f"]({address}/blob/v{version}/", text))
    repository = "/".join(address.split("/")[-2:])
    print(f"\nEvery file here is attested: `gh attestation verify FILE --repo {repository}`")


if __name__ == "__main__":
    main()
