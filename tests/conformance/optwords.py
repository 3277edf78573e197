#!/usr/bin/env python3
"""Options in the help texts of programs, for options.sh.

usage: optwords.py FOLDER NAMES  > NAME TAB OPTION TAB KIND
FOLDER holds NAME.help and NAME.man (blanks and slashes of a name are "_"), NAMES one name a line.

An option is a word at the beginning of a line of its own: "-x", "-x ARG", "--long=ARG", "--long[=ARG]",
"-x, --long ARG". KIND is value, optional (only the rest of the same word), joined (a value, in the same
word: "-std=X") or flag. Where a text says two things, or where a value stands in brackets behind a
blank, nothing is said.
"""
import re
import sys

OPTION = re.compile(r"--?[A-Za-z0-9#@][A-Za-z0-9_.+:-]*")
JOINED = re.compile(r"(-[A-Za-z])([A-Z]{2,})$")  # -kWORD
ARGUMENT = (
    (re.compile(r"\[=[^\]]*\]+"), "optional"),
    (re.compile(r"\[[a-z]+\]"), "unsure"),  # -s[tatistics], and -i[extension]
    (re.compile(r"\[(?! )[^\]=]+\]"), "optional"),
    (re.compile(r"=(<[^>]*>|\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|'[^']*'|\"[^\"]*\"|[^\s,|\[]+)"
                r"(\[[^\]]*\]|\.\.\.|[,:]<[^>]*>|[,=:][A-Za-z<\[]\S*)*"), "value"),
    (re.compile(r"[ ]{0,2}<[^>]+>([.:,=/@]*<[^>]*>|\[[^\]]*\]|\.\.\.)*"), "value"),
    (re.compile(r"[ ]\[[^\]]+\](\.\.\.)?"), "unsure"),
    (re.compile(r"[ ]\{[^}]+\}"), "value"),
    (re.compile(r"[ ]\([^)|]+\|[^)]*\)\w*"), "value"),
    (re.compile(r"[ ]([A-Z][A-Z0-9_]+|[A-Z])([-:=,|/.+][A-Za-z0-9_\[\]]+)*(\[[^\]]*\])?(\.\.\.)?"
                r"(?=$|[],|)]|[ ]{2}|[ ][-<(/|])"), "value"),
    (re.compile(r"[ ][A-Z][A-Z0-9_]{2,}(?=$|[ ,|:.])"), "value"),
    (re.compile(r"[ ](?!or\b|and\b)[a-z.][A-Za-z0-9_.:/=|@+#-]*(\[[^\]]*\]|\.\.\.)*"
                r"(?=$|[,|\])]|[ ]{2}|[ ]:|[ ]or[ ]-|[ ][a-z]+[ ]{2})"), "value"),
    (re.compile(r"[ ]['\"][^'\"]+['\"](?=$|,|[ ]{2})"), "value"),
)
NEXT = re.compile(r"\s*(,|\||/|\bor\b)\s*(?=-)|[ ]{1,2}(?=--?[A-Za-z])")


def argument(word, text):
    """(kind, what is left of the line) behind an option."""
    for pattern, kind in ARGUMENT:
        found = pattern.match(text)
        if found:
            attached = found.group()[0] in "=<" and word[1] != "-" and len(word) > 2
            return "joined" if attached else kind, text[found.end():]
    return "flag", text


def options_of_line(line):
    """[(option, kind)] of one line, [] where it does not begin with an option."""
    text = line.expandtabs().strip()
    found, literal = [], False
    while True:
        match = OPTION.match(text)
        if not match:
            break
        word = match.group().rstrip(".:,")
        text = text[len(word):]
        joined = JOINED.match(word)
        if word == "-NUM":
            return []
        if joined:
            word, text = joined.group(1), "<" + joined.group(2) + ">" + text
        before = text
        kind, text = argument(word, text)
        if word.endswith("-"):  # --kinddef-<LANG>: a family of options
            return []
        found.append((word, kind))
        literal = literal or (kind == "value" and re.match(r"=[a-z]", before))
        step = NEXT.match(text)
        if not step:
            break
        text = text[step.end():]
    kinds = {kind for _, kind in found} - {"flag"}
    if len(kinds) == 1:
        kind = kinds.pop()
        # "-w, --width[=N]", "-p, --style=slash": whether -w and -p may have a value is not said.
        spread = "unsure" if kind == "optional" or literal else kind
        found = [(word, spread if own == "flag" and not word.startswith("--no-") else own)
                 for word, own in found]
    return found


def options_of_text(text, deepest):
    """{option: kind} of a text; deepest: how far an option's line may be indented."""
    kinds = {}
    lines = [line for line in text.splitlines() if line.strip()]
    for at, line in enumerate(lines):
        indent = len(line.expandtabs()) - len(line.expandtabs().lstrip())
        if indent > deepest or not line.strip().startswith("-"):
            continue
        # "-f" on a line of its own and "--file NAME" below it: one description for both.
        alone = at + 1 < len(lines) and lines[at + 1].strip().startswith("-") and \
            " " not in line.strip()
        for word, kind in options_of_line(line):
            if alone and kind == "flag":
                kind = "unsure"
            before = kinds.setdefault(word, kind)
            if before != kind:
                kinds[word] = "unsure"
    return kinds


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def options_of(stem):
    kinds = options_of_text(read(stem + ".help"), 14)
    manual = options_of_text(read(stem + ".man"), 11)
    if len(manual) > 2 * len(kinds):
        for word, kind in manual.items():
            kinds.setdefault(word, kind)
    return kinds


def main():
    folder, names = sys.argv[1], sys.argv[2]
    for name in read(names).splitlines():
        for word, kind in options_of(folder + "/" + re.sub(r"[ /]", "_", name)).items():
            if kind != "unsure" and word.strip("-"):
                print(name, word, kind, sep="\t")


if __name__ == "__main__":
    main()
