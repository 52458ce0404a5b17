#!/usr/bin/env python3
"""The version where people write it; all other files take it from Cargo.toml. And the notes of a release.

    tools/version.py                         fails where a file has another version than Cargo.toml
    tools/version.py set 0.2.0               sets it, dates CHANGELOG.md, and writes the files that are made with it
    tools/version.py notes v0.2.0 [ADDRESS]  prints the notes from CHANGELOG.md; fails unless the tag is the version,
                                             CHANGELOG.md has its date, and ADDRESS is the repository in Cargo.toml.
                                             They may have headings, paragraphs, lists with `-` and tables.
"""

import datetime
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What stands before the version, or before its first two numbers.
PLACES = {"Cargo.toml": '^version = "', "cli/Cargo.toml": '^version = "', "CITATION.cff": "^version: ",
          "packaging/stride.wrap": "stride-", "packaging/cmake/strideConfig.cmake": r"find_package\(stride ",
          "examples/languages/expected.txt": "^libstride ", "docs/INSTALL.md": r"stride-|find_package\(stride "}


def read(path):
    return (ROOT / path).read_text("utf-8")


def of_crate(field):
    return re.search(rf'^{field} = "(.*?)"', read("Cargo.toml"), re.M)[1]


def places():
    """Each file with its text, and the pattern of what stands before a version in it, and of the version."""
    for path, before in PLACES.items():
        yield path, read(path), re.compile(rf"({before})(\d+\.\d+(?:\.\d+)?)\b", re.M)


def as_long(version, number):
    """As many numbers of the version as this one has."""
    return ".".join(version.split(".")[:number.count(".") + 1])


def differing():
    """What has another version, and what has none where one is expected."""
    version = of_crate("version")
    for path, text, pattern in places():
        found = pattern.findall(text)
        if not found:
            yield f"{path} has no version where one is expected"
        for _, number in found:
            if number != as_long(version, number):
                yield f"{path} has version {number}, Cargo.toml {version}"


def write(version):
    for path, text, pattern in places():
        text = pattern.sub(lambda match: match[1] + as_long(version, match[2]), text)
        (ROOT / path).write_text(text, "utf-8", newline="")
    heading = f"## {version} ({datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d})"
    changelog, dated = re.subn(r"^## .* \(unreleased\)$", heading, read("CHANGELOG.md"), count=1, flags=re.M)
    (ROOT / "CHANGELOG.md").write_text(changelog, "utf-8", newline="")
    print(heading if dated else "CHANGELOG.md has no version that is `(unreleased)`: it stays")
    locks = subprocess.run(["git", "ls-files", "*Cargo.lock"], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE)
    for lock in locks.stdout.split():
        subprocess.run(["cargo", "update", "--quiet", "--workspace"], cwd=(ROOT / lock).parent, check=True)
    subprocess.run(["make", "-s", "header"], cwd=ROOT, check=True)


def notes(tag, address):
    version, repository = of_crate("version"), of_crate("repository")
    dated = rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)\n+(.*?)(?=^## |\Z)"
    entry = re.search(dated, read("CHANGELOG.md"), re.M | re.S)
    wrong = list(differing())
    if tag != f"v{version}":
        wrong.append(f"the tag is {tag}, the version {version}")
    if not entry:
        wrong.append(f"CHANGELOG.md has no line `## {version} (YYYY-MM-DD)`")
    if address not in (None, repository):
        wrong.append(f"this is {address}, and Cargo.toml says {repository}")
    if wrong:
        sys.exit("\n".join(wrong))
    # A release's page breaks a line where the text does, and does not resolve links to files.
    text = re.sub(r"(?<=\S)\n *(?=[^\s|#-])", " ", entry[1].strip())
    print(re.sub(r"\]\((?!https?:|#)", f"]({repository}/blob/{tag}/", text))
    print(f"\nEvery file here is attested: `gh attestation verify FILE --repo {'/'.join(repository.split('/')[-2:])}`")


def main():
    match sys.argv[1:]:
        case []:
            sys.exit("\n".join(differing()) or None)
        case ["set", version] if re.fullmatch(r"\d+\.\d+\.\d+", version):
            write(version)
        case ["notes", tag, *address] if len(address) <= 1:
            notes(tag, *address or [None])
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
