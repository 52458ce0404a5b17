#!/usr/bin/env python3
"""Writes a file of Markdown as a page: headings, lists, tables, code, and links to other sites.

    python3 docs/play/readme.py README.md > README.html

A link into the repository becomes plain words; a picture is looked for beside the page.
"""
import html
import re
import sys

HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>libstride</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<body class="readme">
<p><a href="./">The page to play with</a></p>"""


def words(text):
    text = html.escape(" ".join(text.split()))
    text = re.sub(r"!\[([^\]]*)\]\((?:[^)]*/)?([^)/]*)\)", r'<img src="\2" alt="\1">', text)
    text = re.sub(r"\[([^\]]*)\]\((https?:[^)]*)\)", r'<a href="\2">\1</a>', text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`([^`]*)`", r"<code>\1</code>", text)
    return re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", text)


def block(text):
    if text.startswith("```"):
        return f"<pre>{html.escape(text.partition(chr(10))[2].rpartition('```')[0])}</pre>"
    if text.startswith("#"):
        depth = len(text) - len(text.lstrip("#"))
        return f"<h{depth}>{words(text[depth:])}</h{depth}>"
    if text.startswith("- "):
        return "<ul><li>" + "<li>".join(words(item) for item in re.split(r"(?:^|\n)- ", text)[1:]) + "</ul>"
    if text.startswith("|"):
        rows = [line.strip("| ").split(" | ") for line in text.splitlines() if not line.startswith("|---")]
        return "<table><tr><td>" + "<tr><td>".join("<td>".join(map(words, row)) for row in rows) + "</table>"
    return f"<p>{words(text)}</p>"


with open(sys.argv[1], encoding="utf-8") as file:
    source = re.sub(r"<!--.*?-->\n", "", file.read(), flags=re.S)
print(HEAD)
print("\n".join(block(one.strip("\n")) for one in re.findall(r"```.*?\n```|(?:(?!\n\n|```).)+", source, flags=re.S)
                if one.strip()))
