"""Random trees, policies and operations: does the judge say what the kernel does?

    agree.py make SEED HOME OUT    as the account: makes a tree below HOME, prints policy lines,
                                   writes the operations to OUT
    agree.py run OPS SHELL OUT     in the jail: tries each operation for real, and asks the shell
                                   whether the same as a command would be refused
    agree.py compare OUT…          counts, and prints what differs

What an operation changes is put back at once, so that each meets the same tree. Patterns are where the
two must differ, and these are counted apart: a mount covers what is there when the jail is built, so of
a name made later only the judge knows, and the judge does not search a tree for what holds it in place.
"""
import json
import os
import random
import shlex
import subprocess
import sys
from errno import EACCES, EBUSY, EPERM, EROFS

MAKING = {"create", "mkdir", "symlink"}
REFUSED = {EACCES, EPERM, EROFS, EBUSY}


# --- make -----------------------------------------------------------------------------------------
class Maker:
    def __init__(self, seed, home):
        self.random = random.Random(seed)
        self.home = home
        self.dirs, self.files, self.links, self.absent = [], [], [], []

    def tree(self, top, depth):
        os.makedirs(top, exist_ok=True)
        self.dirs.append(top)
        for i in range(self.random.randint(1, 3)):
            path = f"{top}/f{i}"
            with open(path, "w") as file:
                file.write("x")
            self.files.append(path)
        self.absent.append(f"{top}/new")
        for i in range(self.random.randint(0, 3) if depth else 0):
            self.tree(f"{top}/d{i}", depth - 1)

    def make_links(self):
        for i in range(self.random.randint(2, 5)):
            where = self.random.choice(self.dirs)
            target = self.random.choice(self.files + self.dirs + self.absent)
            if self.random.random() < 0.5:
                target = os.path.relpath(target, where)
            os.symlink(target, f"{where}/l{i}")
            self.links.append(f"{where}/l{i}")

    def rules(self):
        lines = []
        inside = [d for d in self.dirs if d.startswith(self.home + "/work/")]
        some = inside + self.files
        for key, count in (("deny_read", 3), ("deny_write", 3), ("allow_read", 1), ("allow_write", 1)):
            for _ in range(self.random.randint(0, count)):
                path = self.random.choice(some if key.startswith("deny") else self.dirs)
                if key.startswith("deny") and self.random.random() < 0.2 and inside:
                    path = self.random.choice(inside) + "/" + self.random.choice(["f*", "*", "**/f1"])
                lines.append(f"{key} = {path}")
        return lines

    def operations(self, count):
        ops = []
        for _ in range(count):
            kind = self.random.choice(["read", "read", "write", "write", "list", "create", "unlink",
                                       "mkdir", "rename", "rename", "chmod", "truncate", "symlink"])
            mounted = self.random.random() < 0.12
            pool = {"list": self.dirs, "create": self.absent, "mkdir": self.absent,
                    "symlink": self.absent, "rename": [p for p in self.dirs + self.files if not p.endswith("/mnt")],
                    "unlink": self.files}.get(kind, self.files)
            path = self.random.choice([p for p in pool if not mounted or "/mnt" in p])
            if kind in ("read", "write", "truncate", "chmod") and self.random.random() < 0.35:
                path = self.random.choice(self.links)
            if kind in ("read", "write", "list") and self.random.random() < 0.1:
                path = self.random.choice(self.absent)
            if self.random.random() < 0.3: # the same place, spelt in another way
                parent, name = os.path.split(path)
                path = self.random.choice([f"{parent}/./{name}", f"{parent}//{name}",
                                           f"{parent}/../{os.path.basename(parent)}/{name}",
                                           os.path.relpath(path, self.home + "/work")])
            ops.append([kind, path])
        return ops


def make(seed, home, out):
    maker = Maker(seed, home)
    for top in ("work/t", "extra", "other"):
        maker.tree(f"{home}/{top}", 3)
    maker.tree(f"{home}/work/mnt", 1)  # a file system of its own
    maker.make_links()
    rules = list(dict.fromkeys([f"allow_write = {home}/extra", *maker.rules()]))
    with open(out, "w") as file:
        json.dump({"seed": seed, "home": home, "rules": rules, "links": maker.links,
                   "operations": maker.operations(100)}, file)
    print("\n".join(rules))


# --- run ------------------------------------------------------------------------------------------
COMMANDS = {"read": "cat -- {}", "write": ": >> {}", "list": "ls -- {}", "create": "touch -- {}",
            "unlink": "rm -f -- {}", "mkdir": "mkdir -- {}", "rename": "mv -T -- {0} {0}.moved",
            "chmod": "chmod u+w -- {}", "truncate": "truncate -s 1 -- {}", "symlink": "ln -s x {}"}


def attempt(kind, path):
    if kind == "read":
        os.close(os.open(path, os.O_RDONLY))
    elif kind == "write":
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
    elif kind == "list":
        os.listdir(path)
    elif kind == "create":
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        os.unlink(path)
    elif kind == "unlink":
        os.unlink(path)
        with open(path, "w") as file:
            file.write("x")
    elif kind == "mkdir":
        os.mkdir(path)
        os.rmdir(path)
    elif kind == "rename":
        os.rename(path, path + ".moved")
        os.rename(path + ".moved", path)
    elif kind == "chmod":
        os.chmod(path, os.stat(path).st_mode)
    elif kind == "truncate":
        os.truncate(path, 1)
    elif kind == "symlink":
        os.symlink("x", path)
        os.unlink(path)


def kernel(kind, path):
    """'allow', 'deny', or None where it says nothing about permission."""
    try:
        attempt(kind, path)
        return "allow"
    except OSError as error:
        return "deny" if error.errno in REFUSED else None


def judge(shell, kind, path):
    command = "false && " + COMMANDS[kind].format(shlex.quote(path))
    done = subprocess.run([shell, "-c", command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode == 126:
        return "deny", done.stderr.strip()
    if done.returncode == 1:
        return "allow", ""
    raise SystemExit(f"agree: {shell} -c {command!r} ended with {done.returncode}: {done.stderr}")


def run(ops, shell, out):
    with open(ops) as file:
        world = json.load(file)
    os.chdir(world["home"] + "/work")
    results = []
    for kind, path in world["operations"]:
        seen = kernel(kind, path)
        said, why = judge(shell, kind, path)
        results.append({"kind": kind, "path": path, "kernel": seen, "judge": said, "why": why})
    world["results"] = results
    with open(out, "w") as file:
        json.dump(world, file)


# --- compare --------------------------------------------------------------------------------------
def is_by_pattern(world, result):
    if not any("*" in rule for rule in world["rules"]):
        return False
    if result["kind"] in MAKING:
        return result["judge"] == "deny"
    return result["kind"] == "rename" and result["kernel"] == "deny"


def compare(files):
    counts = {"allow": 0, "deny": 0, "silent": 0, "pattern": 0, "differ": 0}
    shares = dict.fromkeys(("links", "mounts", "patterns", "renames", "absent"), 0)
    for name in files:
        with open(name) as file:
            world = json.load(file)
        has_pattern = any("*" in rule for rule in world["rules"])
        for result in world["results"]:
            path = os.path.normpath(os.path.join(world["home"], "work", result["path"]))
            shares["links"] += path in world["links"]
            shares["mounts"] += path.startswith(world["home"] + "/work/mnt")
            shares["patterns"] += has_pattern
            shares["renames"] += result["kind"] == "rename"
            shares["absent"] += path.endswith("/new")
            if result["kernel"] is None:
                counts["silent"] += 1
            elif result["kernel"] == result["judge"]:
                counts[result["kernel"]] += 1
            elif is_by_pattern(world, result):
                counts["pattern"] += 1
            else:
                counts["differ"] += 1
                print(f"seed {world['seed']}: {result['kind']} {result['path']}: "
                      f"kernel {result['kernel']}, judge {result['judge']} {result['why']}")
    total = sum(counts.values())
    print("; ".join(f"{share}: {100 * n // total} %" for share, n in shares.items()))
    print(f"{total} operations: {counts['allow']} allowed and {counts['deny']} refused by both, "
          f"{counts['silent']} failed for other reasons, {counts['pattern']} by patterns, "
          f"{counts['differ']} differ")
    if 10 * min(counts["allow"], counts["deny"]) < 2 * total:
        print("too few of one kind: the test would miss what it looks for")
        return True
    return counts["differ"] != 0


if __name__ == "__main__":
    verb, *words = sys.argv[1:]
    if verb == "make":
        make(int(words[0]), words[1], words[2])
    elif verb == "run":
        run(*words)
    elif verb == "compare":
        sys.exit(compare(words))
