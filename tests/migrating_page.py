#!/usr/bin/env python3
"""The code of docs/MIGRATING.md is that of examples/migrating: `migrating_page.py` compares, `--write` copies it there.

A block of the page stands after a comment that names its program and part:

    <!-- 01_strided_copy.c: before -->

The part of a program begins after its line `// --- before` (`# --- before` in Python) and ends at the next such line.
Sentences of the library that the page quotes are such as a program expects.
"""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
programs = root / "examples" / "migrating"
page = root / "docs" / "MIGRATING.md"
language = {".c": "c", ".cpp": "cpp", ".py": "python"}
block = re.compile(r"<!-- (\S+): (\w+) -->\n```(\w*)\n(.*?)```\n", re.S)


def part(program, name):
    """The lines of a part, or None."""
    lines = (programs / program).read_text().split("\n")
    marks = [i for i, line in enumerate(lines) if re.fullmatch(r"(//|#) --- \w+", line)]
    for begin, end in zip(marks, marks[1:]):
        if lines[begin].endswith(f" --- {name}"):
            return "\n".join(lines[begin + 1:end]).strip("\n") + "\n"
    return None


def main():
    text, wrong = page.read_text(), []
    expected = {(path.name, name) for path in programs.glob("[0-9][0-9]_*.*") for name in ("before", "after")}
    found = [(program, name) for program, name, _, _ in block.findall(text)]
    wrong += [f"{program}: its part '{name}' is not on the page" for program, name in sorted(expected - set(found))]
    wrong += [f"{program}: there is no part '{name}'" for program, name in sorted(set(found) - expected)]
    wrong += [f"{program}: its part '{name}' is on the page twice" for program, name in sorted(set(found))
              if found.count((program, name)) > 1]
    if text.count("\n```") != 2 * (len(found) + text.count("\n```sh\n")):
        wrong.append("a block of the page has no comment in front that names its program")

    def lines_of_program(match):
        program, name, _, _ = match.groups()
        if (program, name) not in expected:
            return match.group(0)
        code = part(program, name)
        if code is None:
            wrong.append(f"{program}: it has no part '{name}'")
            return match.group(0)
        fence = language[pathlib.Path(program).suffix]
        return f"<!-- {program}: {name} -->\n```{fence}\n{code}```\n"

    written = block.sub(lines_of_program, text)
    if "--write" in sys.argv:
        page.write_text(written)
    else:
        pairs = zip(block.finditer(text), block.finditer(written))
        wrong += [f"{old.group(1)}: '{old.group(2)}' is not as in the program; tests/migrating_page.py --write"
                  for old, new in pairs if old.group(0) != new.group(0)]
    code = "".join(path.read_text() for path in programs.glob("[0-9][0-9]_*.*"))
    sentences = [" ".join(quote.split()) for quote in re.findall(r"`([^`]*)`", block.sub("", written))]
    sentences = [sentence for sentence in sentences if re.match(r"\w+(, dimension \d+)?: ", sentence)]
    wrong += [f"no program expects the sentence '{sentence}'" for sentence in sentences if f'"{sentence}"' not in code]
    for sentence in wrong:
        print(f"docs/MIGRATING.md: {sentence}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    print(f"docs/MIGRATING.md: {len(found)} blocks are the lines of {len(expected) // 2} programs,",
          f"which expect its {len(sentences)} sentences")


main()
