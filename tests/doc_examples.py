#!/usr/bin/env python3
"""Holds that what `cargo doc` shows has an example: doc_examples.py target/doc/stride

A function and a type has one of its own; a method has one of its own or is called in one of the same page. Read from
the pages that rustdoc made, so that what is hidden does not count, nor what is private.
"""
import html
import pathlib
import re
import sys

EXAMPLE = re.compile(r'<pre class="rust rust-example-rendered">(.*?)</pre>', re.S)
METHOD = re.compile(r'<section id="((?:ty)?method\.[^"]+)" class="method">')


def text(page):
    return html.unescape(re.sub(r'<[^>]+>', '', page))


def main(root):
    pages = sorted(root.rglob('*.html'))
    counted, without = 0, []
    for page in pages:
        kind, name = (page.name.split('.') + [''])[:2]
        if kind not in ('fn', 'struct', 'enum', 'trait', 'union', 'macro'):
            continue
        content = page.read_text()
        if 'http-equiv="refresh"' in content:
            continue  # of a private module, to where its item is public
        examples = [text(example) for example in EXAMPLE.findall(content)]
        if not examples or kind == 'fn' and not any(name in example for example in examples):
            without.append(f'{page.relative_to(root)}')
        counted += 1
        # Methods of its own only: what it has of traits is documented there.
        for end in ('<h2 id="trait-implementations"', '<h2 id="deref-methods'):
            content = content.split(end)[0]
        own = content.split('<h2 id="implementations"')
        for method in METHOD.findall(own[1]) if len(own) > 1 else []:
            counted += 1
            name = re.sub(r'-\d+$', '', method).split('.')[1]
            if not any(re.search(rf'\b{name}\b', example) for example in examples):
                without.append(f'{page.relative_to(root)}: {name}')
    if counted < 200:
        sys.exit(f'{root}: only {counted} functions, types and methods; is this the documentation?')
    print(f'{counted} functions, types and methods, {len(without)} without an example')
    sys.exit('\n'.join(without) if without else 0)


main(pathlib.Path(sys.argv[1]))
