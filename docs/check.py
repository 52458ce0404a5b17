#!/usr/bin/env python3
"""Runs what the documents show: `python3 docs/check.py --prefix PREFIX`, with the library installed in PREFIX.

Every fenced block of README.md, the guide (docs/guide/src), docs/ABI.md and docs/PERFORMANCE.md is a program, or what
one prints:

  c, cpp, python   compiled with warnings as errors and run. Without `main` a C or C++ block is the body of one.
  sh               run in the folder of its page, where the page's files lie; the prefix is found by pkg-config,
                   CMake, compiler and loader.
  text             after a block: all that it prints. A block without it has to assert something.
  others           text that nobody runs (toml, cmake, ...); they need a directive.

A directive is a comment before a block:

  <!-- check: file NAME -->    the block is also the file NAME in the page's folder, for the commands that follow
  <!-- check: only NAME -->    the same, and it is not run by itself
  <!-- check: ci A, B -->      not run here; tools/checks.toml has the commands A and B (their words), which is looked up
  <!-- check: example -->      a picture of text that belongs to no program

Besides: relative links of all documents lead to files and headings that exist, and every stride_... and STRIDE_... of
those that are about the interface is one of the headers'. `--self-test` shows that each mistake is found. What is
not there (cmake, the Python package) is printed as skipped.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEADERS = ["assert.h", "inttypes.h", "stdio.h", "stdlib.h", "string.h", "stride.h", "stride_xla.h", "stride_interop.h",
           "stride_runs.h"]
# Of blocks with std::mdspan, which older C++ libraries lack.
MDSPAN = ["clang++-19", "-std=c++23", "-stdlib=libc++"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-UNDEBUG"]
SECONDS = 600  # Of a block: those of a busy machine too, only one that hangs takes so long.
RUN = ("c", "cpp", "python", "sh")
GUIDE = "docs/guide/src"
# Pages whose stride_... and STRIDE_... are the headers'. Others have names of the past, of builds, of the tests.
NAMED = r"README|page\.md|docs/guide/|docs/(ABI|PERFORMANCE|XLA|BLOCKED_FORMATS|IMAGE_FORMATS|BUGS_ANSWERED)\.md"


class Block:
    def __init__(self, page, line, language, text, directive):
        self.page, self.line, self.language, self.text = page, line, language, text
        self.directive, self.prints = directive, None

    def place(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    """The fenced blocks of a page, each with its directive and what the page says that it prints."""
    found, directive, lines, at = [], "", text.split("\n"), 0
    while at < len(lines):
        line, start = lines[at], at + 1
        comment = re.fullmatch(r"\s*<!-- check: (.*?) -->\s*", line)
        fence = re.match(r"( *)(`{3,})([\w+-]*)\s*$", line)
        if comment:
            directive = comment[1]
        elif fence:
            indent, body = len(fence[1]), []
            at += 1
            while at < len(lines) and lines[at].strip() != fence[2]:
                body.append(lines[at][indent:])
                at += 1
            block = Block(page, start, fence[3], "\n".join(body) + "\n", directive)
            before = found[-1] if found else None
            plain = block.language == "text" and not directive
            if plain and before and before.prints is None and before.language in RUN:
                before.prints = block.text
                block.directive = "printed"
            found.append(block)
            directive = ""
        elif line.strip():
            directive = ""
        at += 1
    return found


class Checker:
    def __init__(self, options, root=ROOT):
        self.options, self.root = options, root
        self.problems, self.counts, self.skipped = [], {}, {}
        self.tmp = tempfile.mkdtemp(prefix="stride-docs-")
        prefix = os.path.abspath(options.prefix)
        self.include, self.library = os.path.join(prefix, "include"), os.path.join(prefix, "lib")
        self.environment = dict(os.environ)
        self.environment.update({
            "PREFIX": prefix, "PKG_CONFIG_PATH": os.path.join(self.library, "pkgconfig"), "CMAKE_PREFIX_PATH": prefix,
            "LD_LIBRARY_PATH": self.library,
        })
        self.known = self.names()
        with open(os.path.join(ROOT, "tools", "checks.toml"), encoding="utf-8") as file:
            self.ci = " ".join(word for line in file if not line.lstrip().startswith("#") for word in line.split())

    def names(self):
        names = set()
        for header in glob.glob(os.path.join(self.include, "*")):
            if os.path.isfile(header):
                with open(header, encoding="utf-8") as file:
                    names |= set(re.findall(r"\bstride_\w+|\bSTRIDE_\w+", file.read()))
        return names

    def problem(self, place, what):
        self.problems.append(f"{place}: {what}")

    def skip(self, place, why):
        self.skipped.setdefault(why, []).append(place)

    # -- programs

    def command(self, command, folder):
        try:
            done = subprocess.run(command, cwd=folder, env=self.environment, capture_output=True, text=True,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return 1, "", f"ran for more than {SECONDS} seconds"
        return done.returncode, done.stdout, done.stderr

    def wrapped(self, block):
        if re.search(r"\bmain\s*\(", block.text):
            return block.text, 0
        if block.language == "c":
            head = "".join(f"#include <{name}>\n" for name in HEADERS)
            tail = "return 0;\n}\n"
        else:
            own = re.findall(r"^#include .*\n", block.text, re.M)
            head = "#include <cassert>\n#include <cstdio>\n#include <vector>\n#include <stride.hpp>\n" + "".join(own)
            block.text = re.sub(r"^#include .*\n", "\n", block.text, flags=re.M)
            tail = "}\n"
        head += "int main(void) {\n" if block.language == "c" else "int main() {\n"
        return head + f'#line {block.line + 1} "{block.page}"\n' + block.text + tail, 1

    def compile(self, block, folder):
        language = block.language
        source = os.path.join(folder, f"block{block.line}.{'c' if language == 'c' else 'cpp'}")
        program = source.rsplit(".", 1)[0]
        program_text = self.wrapped(block)[0]
        with open(source, "w", encoding="utf-8") as file:
            file.write(program_text)
        compiler = [os.environ.get("CC", "cc"), "-std=c11"]
        if language == "cpp":
            compiler = MDSPAN if "<mdspan>" in program_text else [os.environ.get("CXX", "c++"), "-std=c++17"]
        files = ["-I", self.include, source, "-L", self.library, "-lstride", "-pthread", "-o", program]
        status, _, errors = self.command(compiler + WARNINGS + files, folder)
        if status:
            self.problem(block.place(), "does not compile\n" + errors[:3000])
            return None
        return [program]

    def run(self, block, folder):
        if block.prints is None and not re.search(r"\bassert\b", block.text):
            self.problem(block.place(), "neither asserts anything nor shows what it prints")
        if block.language in ("c", "cpp"):
            command = self.compile(block, folder)
        elif block.language == "python":
            command = [self.options.python, "-c", block.text]
        else:
            command = ["bash", "-euo", "pipefail", "-c", block.text]
        if command is None:
            return
        status, printed, errors = self.command(command, folder)
        if status:
            self.problem(block.place(), f"exit status {status}\n{printed}{errors}")
        elif block.prints is not None and trimmed(printed) != trimmed(block.prints):
            self.problem(block.place(), f"prints\n{printed}but the page shows\n{block.prints}")
        self.counts[block.language] = self.counts.get(block.language, 0) + 1

    def lacks(self, block):
        """Why a block cannot run here, if that is no fault: what this repository has, the prefix must have."""
        def absent(file, source):
            there = os.path.join(self.library, file), os.path.join(ROOT, source)
            return not any(os.path.exists(path) for path in there)

        if block.language == "cpp" and absent("../include/stride.hpp", "include/stride.hpp"):
            return "C++ blocks: there is no stride.hpp"
        if block.language == "cpp" and "<mdspan>" in block.text and not shutil.which(MDSPAN[0]):
            return f"C++ blocks with std::mdspan: {MDSPAN[0]} is not here"
        if block.language == "python" and self.options.python == sys.executable:
            return "Python blocks: no interpreter with the stride package is given by --python"
        if block.language == "sh" and "cmake" in block.text and absent("cmake", "CMakeLists.txt"):
            return "shell blocks with cmake: there is no CMake package"
        for tool in ("pkg-config", "cmake"):
            if block.language == "sh" and re.search(rf"\b{tool}\b", block.text) and not shutil.which(tool):
                return f"shell blocks: {tool} is not here"
        return None

    def block(self, block, folder):
        verb, _, rest = block.directive.partition(" ")
        if verb in ("file", "only"):
            with open(os.path.join(folder, rest), "w", encoding="utf-8") as file:
                file.write(block.text)
        if verb == "ci":
            for words in rest.split(", "):
                if words not in self.ci:
                    self.problem(block.place(), f"no check of tools/checks.toml runs '{words}'")
            self.counts["elsewhere in CI"] = self.counts.get("elsewhere in CI", 0) + 1
        elif verb not in ("", "file", "only", "example", "printed"):
            self.problem(block.place(), f"unknown directive '{block.directive}'")
        elif verb in ("only", "example", "printed"):
            pass
        elif block.language not in RUN:
            self.problem(block.place(), f"a block of '{block.language}' that belongs to no program: what is it?")
        elif self.lacks(block):
            self.skip(block.place(), self.lacks(block))
        else:
            self.run(block, folder)

    def page(self, page):
        with open(os.path.join(self.root, page), encoding="utf-8") as file:
            text = file.read()
        folder = os.path.join(self.tmp, page.replace("/", "_"))
        os.makedirs(folder)
        for block in blocks_of(page, text):
            self.block(block, folder)

    # -- links and names

    def prose(self, page):
        with open(os.path.join(self.root, page), encoding="utf-8") as file:
            text = file.read()
        without = re.sub(r"^( *```).*?^ *```\s*$", lambda match: "\n" * match[0].count("\n"), text, flags=re.S | re.M)
        without = re.sub(r"`[^`\n]*`", lambda match: match[0] if "](" not in match[0] else "", without)
        for match in re.finditer(r"\]\(([^)\s]+)\)|\b(?:src|href)=\"([^\"]+)\"", without):
            target, place = match[1] or match[2], f"{page}:{without[:match.start()].count(chr(10)) + 1}"
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            here = os.path.join(self.root, page)
            file = os.path.normpath(os.path.join(os.path.dirname(here), path)) if path else here
            if page.startswith(GUIDE) and not os.path.relpath(file, self.root).startswith(GUIDE):
                self.problem(place, f"'{target}' leaves the guide, where a book has no page")
            elif not os.path.exists(file):
                self.problem(place, f"the link '{target}' leads nowhere")
            elif anchor and file.endswith(".md") and anchor not in headings(file):
                self.problem(place, f"'{target}': no such heading")
            self.counts["links"] = self.counts.get("links", 0) + 1
        if not re.match(NAMED, page):
            return
        for match in re.finditer(r"(?<![\w./-])(stride_[a-z]\w+|STRIDE_[A-Z]\w+)(?![\w…]|\.\.\.|\.[a-z])", text):
            name = match[1]
            if name.endswith("_") or name in self.known:
                continue
            self.problem(f"{page}:{text[:match.start()].count(chr(10)) + 1}", f"'{name}' is not in the headers")

    def reference(self, folder):
        """Every function has its place in a group of the reference that Doxygen made, every class a page."""
        text = ""
        for path in glob.glob(os.path.join(folder, "group__*.html")):
            with open(path, encoding="utf-8") as file:
                text += file.read()
        with open(os.path.join(self.root, "include", "stride.json"), encoding="utf-8") as file:
            functions = [function["name"] for function in json.load(file)["functions"]]
        for name in functions:
            if f"</span>{name}()</h2>" not in text:
                self.problem(folder, f"{name} is in no group of the reference")
        self.counts["functions in the reference"] = len(functions)
        header = os.path.join(self.root, "include", "stride.hpp")
        if os.path.exists(header):
            with open(header, encoding="utf-8") as file:
                classes = set(re.findall(r"^class (\w+) [^;]*$", file.read(), re.M))
            pages = {path.rsplit("_1_1", 1)[-1] for path in glob.glob(os.path.join(folder, "classstride_1_1*"))}
            for name in sorted(classes):
                if name.replace("_", "__") + ".html" not in pages:
                    self.problem(folder, f"class {name} is not in the reference")
            self.counts["classes in the reference"] = len(classes)

    def summary(self, guide):
        """Every page of the guide is in its table of contents."""
        with open(os.path.join(self.root, guide, "SUMMARY.md"), encoding="utf-8") as file:
            listed = set(re.findall(r"\]\(([^)]+)\)", file.read()))
        there = {os.path.relpath(path, os.path.join(self.root, guide))
                 for path in glob.glob(os.path.join(self.root, guide, "**", "*.md"), recursive=True)} - {"SUMMARY.md"}
        for name in sorted(listed ^ there):
            self.problem(f"{guide}/SUMMARY.md", f"'{name}' is {'not there' if name in listed else 'not listed'}")


def trimmed(text):
    return [line.rstrip() for line in text.strip().split("\n")]


def headings(file):
    """The anchors of a page, as GitHub and mdBook make them."""
    with open(file, encoding="utf-8") as opened:
        text = re.sub(r"^```.*?^```\s*$", "", opened.read(), flags=re.S | re.M)
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.replace("`", "").lower()).strip().replace(" ", "-") for title in titles}


def all_documents(root):
    found = [path for folder in ("", "docs", GUIDE, GUIDE + "/**", "examples/**", "benches/**", "python")
             for path in glob.glob(os.path.join(root, folder, "*.md"), recursive=True)]
    return sorted({os.path.relpath(path, root) for path in found if os.sep + "target" + os.sep not in path})


def report(checker):
    for why, places in sorted(checker.skipped.items()):
        print(f"skipped: {why} ({len(places)}: {', '.join(places[:4])}{', ...' if len(places) > 4 else ''})")
    for problem in checker.problems:
        print(problem, file=sys.stderr)
    print("ran: " + ", ".join(f"{count} {what}" for what, count in sorted(checker.counts.items()))
          + f"; {len(checker.problems)} problems")


def self_test(options):
    """Each mistake that this script is there for, once, beside the same without it."""
    mistakes = {
        "prints": "```c\nputs(\"one\");\n```\n\n```text\ntwo\n```\n",
        "neither asserts": "```c\nputs(\"one\");\n```\n",
        "exit status": "```c\nassert(stride_version() == 0);\n```\n",
        "does not compile": "```c\nint unused = 1;\nassert(1);\n```\n",
        "exit status 1": "```sh\nfalse\n```\n\n```text\n```\n",
        "unknown directive": "<!-- check: never -->\n```sh\ntrue\n```\n",
        "tools/checks.toml runs 'make": "<!-- check: ci make nothing-of-the-kind -->\n```sh\ntrue\n```\n",
        "belongs to no program": "```toml\nx = 1\n```\n",
        "leads nowhere": "[x](nowhere.md)\n",
        "no such heading": "# Here\n\n[x](#there)\n",
        "is not in the headers": "`stride_layout_does_not_exist`\n",
        "": "# Here\n\n[x](#here) `stride_copy` `stride_layout_…`\n\n"
            "```c\nputs(\"one\");\n```\n\n```text\none\n```\n",
    }
    failed = 0
    for expected, page in mistakes.items():
        with tempfile.TemporaryDirectory() as root:
            with open(os.path.join(root, "page.md"), "w", encoding="utf-8") as file:
                file.write(page)
            checker = Checker(options, root)
            checker.page("page.md")
            checker.prose("page.md")
            shutil.rmtree(checker.tmp)
        found = [problem for problem in checker.problems if not expected or expected in problem]
        if bool(found) != bool(expected):
            failed += 1
            print(f"self-test: '{expected or 'no problem'}' expected, found {checker.problems}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as empty:
        checker = Checker(options)
        checker.reference(empty)
        shutil.rmtree(checker.tmp)
    if not any("stride_copy is in no group" in problem for problem in checker.problems):
        failed += 1
        print("self-test: a reference without pages passes", file=sys.stderr)
    print(f"self-test: {len(mistakes) + 1 - failed} of {len(mistakes) + 1} as expected")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prefix", required=True, help="where the library is installed")
    parser.add_argument("--python", default=sys.executable, help="an interpreter with numpy and the stride package")
    parser.add_argument("--reference", help="the folder of HTML that Doxygen made: is every function in it")
    parser.add_argument("--self-test", action="store_true", help="show that mistakes are found")
    parser.add_argument("pages", nargs="*", help="only these pages, paths from the root")
    options = parser.parse_args()
    # A block runs in a folder of its own. Not realpath: an environment is known by the name of its link.
    options.python = os.path.abspath(shutil.which(options.python) or options.python)
    if not os.path.exists(os.path.join(options.prefix, "include", "stride.h")):
        sys.exit(f"no library is installed in {options.prefix}: make install PREFIX={options.prefix}")
    if options.self_test:
        sys.exit(self_test(options) != 0)

    checker = Checker(options)
    pages = options.pages or ["README.md", "docs/ABI.md", "docs/PERFORMANCE.md"] + sorted(
        page for page in all_documents(ROOT) if page.startswith(GUIDE) and not page.endswith("SUMMARY.md"))
    for page in pages:
        checker.page(page)
    for page in options.pages or all_documents(ROOT):
        checker.prose(page)
    if not options.pages:
        checker.summary(GUIDE)
        # Pages that lost their blocks must not pass for pages that run.
        for language, least in (("c", 20), ("sh", 1)):
            if checker.counts.get(language, 0) < least:
                checker.problem("all pages", f"fewer than {least} blocks of {language}")
    if options.reference:
        checker.reference(options.reference)
    shutil.rmtree(checker.tmp)
    report(checker)
    sys.exit(bool(checker.problems))


if __name__ == "__main__":
    main()
