#!/usr/bin/env python3
"""Every message that a policy file can cause, as it stands in the sources, and which of them no golden shows.

messages.py [--exceptions FILE] SOURCE... <GOLDENS
A message is a string of those files that reads like one: two words or more with a space between. Strings that
stand side by side are one. exceptions.tsv names those that no file can cause, or that are no message, and why. Prints what is
missing, one a line; nothing printed is good."""
import os
import re
import sys

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|\'(?:\\.|[^\'\\])\'|"(?:\\.|[^"\\])*"|^[ \t]*#[^\n]*(?:\\\n[^\n]*)*', re.S | re.M)
FORMAT = re.compile(r'%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j)?[a-zA-Z%]')


def unescape(text):
    plain = {'n': '\n', 't': '\t', '"': '"', '\\': '\\', '0': '\0', "'": "'"}
    return re.sub(r'\\(.)', lambda m: plain.get(m.group(1), m.group(0)), text)


def strings(source):
    """The strings of a file; those with nothing but white space or comments between them joined."""
    found, end = [], None
    for token in TOKEN.finditer(source):
        text = token.group(0)
        if text[0] != '"':
            continue
        between = None if end is None else re.sub(r'/\*.*?\*/', '', source[end:token.start()], flags=re.S)
        if between is not None and not between.strip():
            found[-1] += text[1:-1]
        else:
            found.append(text[1:-1])
        end = token.end()
    return [unescape(text) for text in found]


def words(text):
    return re.findall(r'[A-Za-z]{2,}', FORMAT.sub(' ', text))


def pattern(message):
    """What a printed message must match: anything stands for a conversion, a leading name is left out."""
    message = re.sub(r'^%s: ', '', message).rstrip()
    parts = FORMAT.split(message)
    signs = FORMAT.findall(message)
    out = re.escape(parts[0])
    for sign, part in zip(signs, parts[1:]):
        out += ('%' if sign == '%%' else '.*') + re.escape(part)
    return out + '(?=[ ):]|$)'  # the start of a longer message is another one


def main():
    goldens = sys.stdin.read()
    names, exceptions = sys.argv[1:], []
    list_name = os.path.join(os.path.dirname(__file__), 'exceptions.tsv')
    if names[:1] == ['--exceptions']:
        list_name, names = names[1], names[2:]
    with open(list_name, encoding='utf-8') as file:
        for line in file:
            if line.strip() and not line.startswith('#'):
                exceptions.append(line.rstrip('\n').split('\t')[0])
    used = set()
    for name in names:
        with open(name, encoding='utf-8') as file:
            for message in strings(file.read()):
                if len(words(message)) < 2 or ' ' not in message.strip() or '\n' in message:
                    continue
                if message in exceptions:
                    used.add(message)
                elif not re.search(pattern(message), goldens, re.M):
                    print(f'{name}: no golden shows: {message}')
    for message in exceptions:
        if message not in used:
            print(f'{list_name}: no longer in the sources: {message}')


main()
