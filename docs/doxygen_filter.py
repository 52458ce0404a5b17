#!/usr/bin/env python3
"""A header as Doxygen reads it; docs/Doxyfile calls this for each file.

The headers are written to be read as they are. Here their sections (a banner of `// ===`, the name, the text) become
groups, their examples code, and the paragraphs that begin with `Arrays:`, `Returns:` and so on headings of their own.
"""
import os
import re
import sys

RULE = "// " + "=" * 97
FUNCTION = r"\b(stride_(?:copy|fill|compare|(?!\w*\.h)[a-z]\w*_\w+))\b"
PARAGRAPHS = r"(Arrays|Requires|Returns|Time|Source|Sources|Kept|Not kept|Example): "


def escaped(line):
    """Plain text for Doxygen: what it would take for a command, a tag, a link or emphasis stands as it is."""
    def plain(text):
        return re.sub(r"(?<!\w)(_\w+|\w+_(?!\w))", r"`\1`", re.sub(r"([@\\<>#%*&$])", r"\\\1", text))

    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if part.startswith("`") else plain(part) for part in parts)


def table(lines, prefix):
    """The lists `I want to ...  Function` as a table, its functions with the () by which Doxygen links them."""
    rows = [re.split(r"\s{2,}", line.strip()) for line in lines if line.strip()]
    cells = [[re.sub(FUNCTION, r"\1()", escaped(cell)) for cell in row] for row in rows]
    return [prefix.rstrip()] + [prefix + "| " + " | ".join(row) + " |" for row in
                                [cells[0], ["---"] * len(cells[0])] + cells[1:]] + [prefix.rstrip()]


def comment(lines, prefix):
    """The lines of a text, indented ones as code, those below `I want to ...` as a table."""
    out, code, at = [], False, 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("I want to ..."):
            end = next(k for k in range(at, len(lines)) if not lines[k])
            out += ([prefix + "@endcode"] if code else []) + table(lines[at:end], prefix)
            code = False
            at = end
            continue
        indented = line.startswith("  ")
        if line and indented != code:
            out.append(prefix + ("@code{.c}" if indented else "@endcode"))
            code = indented
        out.append(prefix + (line if code else re.sub("^" + PARAGRAPHS, r"@par \1\n" + prefix, escaped(line))))
        at += 1
    return out + ([prefix + "@endcode"] if code else [])


def identifier(name):
    return re.sub(r"\W+", "_", name.strip().lower()).strip("_")


def sections(lines):
    """Banners become groups; a group ends where the next begins or the declarations end."""
    out, opened, at = [], False, 0
    while at < len(lines):
        line = lines[at]
        if line == RULE:
            text = []
            at += 1
            while at < len(lines) and lines[at].startswith("//"):
                text.append(lines[at][2:].removeprefix(" "))
                at += 1
            name, text = text[1], text[2:]
            if opened:
                out.append("/// @}")
            out += ["", f"/// @defgroup {identifier(name)} {name}", "///"] + comment(text, "/// ") + ["/// @{", ""]
            opened = True
            continue
        if opened and line == "#ifdef __cplusplus" and lines[at + 1].startswith("}"):
            out += ["/// @}", ""]
            opened = False
        if re.match(r"\s*///(?!<)", line):
            indent, text = re.match(r"(\s*)/// ?(.*)", line).groups()
            out += [indent + "/// " + escaped(text) if not re.match(PARAGRAPHS, text) else
                    re.sub("^" + PARAGRAPHS, lambda m: f"{indent}/// @par {m[1]}\n{indent}/// ", escaped(text))]
        elif "///<" in line:
            before, text = line.split("///<", 1)
            out.append(before + "///<" + escaped(text))
        else:
            out.append(line)
        at += 1
    return out


def head(lines, name):
    """The essay before the first line of code is the text of the file."""
    at = next(k for k, line in enumerate(lines) if not line.startswith("//"))
    text = [line[2:].removeprefix(" ") for line in lines[:at]]
    return [f"/// @file {name}", "///"] + comment(text, "/// "), lines[at:]


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    if path.endswith(".hpp"):
        # Doxygen takes the < for the beginning of a list, and loses all that follows.
        lines = [re.sub(r" && sizeof\(T\) <= \d+", "", line) for line in lines]
        # And it has no place for a specialisation of std's.
        lines = re.sub(r"template <>\nstruct std::hash<.*?\n};\n", "", "\n".join(lines), flags=re.S).split("\n")
    elif lines[0].startswith("//"):
        essay, lines = head(lines, os.path.basename(path))
        lines = essay + sections(lines)
    elif lines[0].startswith("/*"):  # stride_runs.h, written by hand
        lines = [f"/** @file {os.path.basename(path)}"] + [re.sub(r"^ ?/\*", "", lines[0])] + lines[1:]
        lines = [re.sub(r"^(\s*)/\*$", r"\1/**", line) for line in lines]
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    main()
