#!/usr/bin/env python3
"""Holds the table of rooms in docs/ARCHITECTURE.md against the code.

A row of the table is a room: the files of `src/` that it names, and the rooms that these may use. A room may also use
what the rooms that it names may use, and any other file of its own. Nothing that a file names with `crate::` or
`super::` may lie elsewhere (what a folder's head passes on counts as the file that has it). No circle of rooms is
allowed, and none of files below a folder of `ONE_WAY`, but between a folder's head, where its types are, and its files.
What a macro names, and tests at the end of a file, are not looked at. In Python an import inside a function counts as
any other; of the page to play with, what a module imports.
"""

import ast
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Folders below which no files may use each other.
ONE_WAY = ["src", "cli/src", "python/src/stride", "docs/play"]


def files(source):
    """Each module of a crate by its path below its source: copy/choose for copy/choose/mod.rs."""
    found = {}
    for folder, _, names in os.walk(os.path.join(ROOT, source)):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), os.path.join(ROOT, source))
            if name.endswith(".rs") and path not in ("lib.rs", "main.rs"):
                found[re.sub(r"(/mod)?\.rs$", "", path)] = os.path.join(source, path)
    return found


def paths(tree):
    """The paths of a use tree: a::{b, c::d} is a::b and a::c::d."""
    begin = tree.find("{")
    if begin < 0:
        return [tree.split(" as ")[0].strip()]
    parts, depth, part = [], 0, ""
    for letter in tree[begin + 1:tree.rfind("}")]:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts, part = parts + [part], ""
        else:
            part += letter
    return [tree[:begin].strip() + path for part in parts + [part] if part.strip() for path in paths(part.strip())]


def read(path):
    """A file's text without comments and tests."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return re.sub(r"#\[cfg\(test\)\]\s*mod tests \{.*", "", re.sub(r"//.*", "", file.read()), flags=re.S)


def passed_on(crate, known):
    """Which file has an item that a folder's head, or the crate's (""), passes on: by head and name."""
    found = {}
    heads = [(head, path) for head, path in known.items() if any(module.startswith(head + "/") for module in known)]
    for head, path in [("", crate), *heads]:
        for tree in re.findall(r"\bpub(?:\([^)]*\))? use ([^;]+);", read(path)):
            for name in paths(" ".join(tree.split())):
                words = name.split("::")
                found[head, words[-1]] = "/".join(filter(None, [head, *words[:-1]]))
    return found


def uses(module, path, known, passed):
    """The modules that a file names."""
    text = read(path)
    named = [path for tree in re.findall(r"\buse\s+([^;]+);", text) for path in paths(" ".join(tree.split()))]
    named += re.findall(r"\b(?:crate|super)(?:::\w+)+", text)
    for name in named:
        words, here = [word.strip() for word in name.split("::")], module.split("/")
        if words[0] not in ("crate", "super"):
            continue
        if words[0] == "crate":
            words, here = words[1:], []
        while words and words[0] == "super":
            words, here = words[1:], here[:-1]
        whole = here + words
        while True:
            length = next((n for n in range(len(whole), 0, -1) if "/".join(whole[:n]) in known), 0)
            used, item = "/".join(whole[:length]), whole[length] if length < len(whole) else ""
            if (used, item) not in passed:
                break
            whole = [*passed[used, item].split("/"), item]
        if used and used != module:
            yield used


def python_uses():
    """The modules that each module of the Python package names."""
    folder, edges = "python/src/stride", collections.defaultdict(set)
    for name in sorted(os.listdir(os.path.join(ROOT, folder))):
        module, kind = os.path.splitext(name)
        if kind != ".py" or module == "__init__":
            continue
        with open(os.path.join(ROOT, folder, name), encoding="utf-8") as file:
            for node in ast.walk(ast.parse(file.read())):
                if isinstance(node, ast.ImportFrom) and node.level == 1:
                    named = [node.module] if node.module else [alias.name for alias in node.names]
                    edges[f"{folder}/{module}"].update(f"{folder}/{used}" for used in named)
    return edges


def page_uses():
    """The modules that each module of the page to play with imports."""
    folder = "docs/play"
    modules = [name for name in sorted(os.listdir(os.path.join(ROOT, folder))) if name.endswith(".mjs")]
    return {f"{folder}/{name[:-4]}": {f"{folder}/{used}" for used in
                                      re.findall(r'\bfrom "\./(\w+)\.mjs"', read(f"{folder}/{name}"))}
            for name in modules}


def rooms():
    """Of each room: the modules or folders that are it, and the words of what it may use."""
    with open(os.path.join(ROOT, "docs", "ARCHITECTURE.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| (`src/[^|]*) \|[^|]*(?:\\\|[^|]*)*\| ([^|]*) \|$", file.read(), flags=re.M)
    found = {}
    for places, may in rows:
        folder, modules = "", []
        for place in re.findall(r"`([^`]*)`", places):
            if place.startswith("src/"):
                folder = place[4:].rstrip("/").rpartition("/")[0]
                modules.append(re.sub(r"\.rs$", "", place[4:].rstrip("/")))
            else:
                modules.append(f"{folder}/{place}".removesuffix(".rs").rstrip("/"))
        found[modules[0]] = (modules, [] if may == "nothing" else [word.strip() for word in may.split(",")])
    return found


def circles(edges):
    """Groups of nodes that reach each other (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in edges[node]:
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            group = [stack.pop()]
            while group[-1] != node:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for node in list(edges):
        if node not in number:
            visit(node)
    return found


def is_head(module, other):
    """Whether one of two modules is the head of a folder that the other one is in."""
    return module.startswith(other + "/") or other.startswith(module + "/")


def main():
    known, table, wrong = files("src"), rooms(), []
    passed = passed_on("src/lib.rs", known)

    def room_of(module):
        fits = [(len(place), room) for room, (places, _) in table.items() for place in places
                if module == place or module.startswith(place + "/")]
        return max(fits)[1] if fits else None

    def named(word):
        """The rooms that a word of the last column means: one of its places, or all below a folder."""
        return {room for room, (places, _) in table.items()
                for place in places if place.split("/")[-1] == word or place.startswith(word + "/")}

    may = {}
    for room, (_, words) in table.items():
        may[room] = set(table) if words == ["everything"] else set().union(*(named(word) for word in words))
        wrong += [f"{room}: there is no room {word!r}" for word in words if word != "everything" and not named(word)]
    for _ in table:  # and what these may use
        for room in table:
            may[room] = may[room].union(*(may[other] for other in may[room]))
    wrong += [f"{place}: no such file" for places, _ in table.values() for place in places if place not in known]
    of_files, of_rooms = python_uses(), collections.defaultdict(set)
    for module, path in sorted(known.items()):
        own = room_of(module)
        if own is None:
            if not any(place.startswith(module + "/") for places, _ in table.values() for place in places):
                wrong.append(f"{path} is in no room of docs/ARCHITECTURE.md")
            continue
        for used in uses(module, path, known, passed):
            if not is_head(module, used):
                of_files[f"src/{module}"].add(f"src/{used}")
            other = room_of(used)
            if other not in (None, own):
                of_rooms[own].add(other)
                if other not in may[own]:
                    wrong.append(f"{path} uses {used}, which {own} may not")
    wrong += [f"rooms that use each other: {', '.join(group)}" for group in circles(of_rooms)]
    of_files.update(page_uses())
    tool = files("cli/src")
    passed_by_tool = passed_on("cli/src/main.rs", tool)
    for module, path in tool.items():
        of_files[f"cli/src/{module}"] = {f"cli/src/{used}" for used in uses(module, path, tool, passed_by_tool)
                                         if not is_head(module, used)}
    found = []
    for folder in ONE_WAY:
        inside = collections.defaultdict(set)
        for module, of in of_files.items():
            if module.startswith(folder + "/"):
                inside[module] = {used for used in of if used.startswith(folder + "/")}
        found += [" ".join([folder, *(module[len(folder) + 1:] for module in group)]) for group in circles(inside)]
    wrong += [f"files that use each other: {group}" for group in found]
    # What depends on the kind of a plan is asked in one file, and neither C's boundary nor Rust's names a kind.
    asks, names = r"\.boxes\b", r"\b(Owned::(Nest|Boxes)|BoxWords|PlanWords|BOXES|BITS|Unit::|is_boxes)\b"
    for module, path in known.items():
        if module.startswith("copy/") and module != "copy/execute/kinds" and re.search(asks, read(path)):
            wrong.append(f"src/{path} asks for the kind of a plan, which copy/execute/kinds is for")
        if module.startswith(("ffi/", "slices/")) and re.search(names, read(path)):
            wrong.append(f"src/{path} names a kind of plan")
    told = f"rooms: {len(known)} files of {len(table)} rooms use what docs/ARCHITECTURE.md says, in no circle"
    print("\n".join(sorted(set(wrong))) or told)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
