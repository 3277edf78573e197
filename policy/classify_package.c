/* Package managers: whose code comes in, and by which way. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- packages ------------------------------------------------------------------------------------------------------------------------- */
bool sbx_is_remote_source(const char *text)
{
    return strstr(text, "://") || !strncmp(text, "git+", 4) || !strncmp(text, "github:", 7) ||
           !strncmp(text, "gitlab:", 7) || !strncmp(text, "git@", 4) ||
           !strncmp(text, "bitbucket:", 10) || !strncmp(text, "gist:", 5) ||
           strstr(text, "@http") || strstr(text, "@git+");
}

/* owner/name: a forge's shorthand, where the tool takes one. */
static bool is_shorthand(const char *text)
{
    const char *slash = strchr(text, '/');
    return slash && slash != text && text[0] != '@' && text[0] != '.' && text[0] != '/' &&
           text[0] != '~' && !strchr(slash + 1, '/') && slash[1] && !strstr(text, ".tgz") &&
           !strstr(text, ".tar") && !strstr(text, ".whl") && text[strlen(text) - 1] != '/';
}

void sbx_find_source(struct sbx_judge *j)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_REMOTE_CODE, "code from an address",
             "use packages by name from the configured index, or ask");
}

static void npm_publishes(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const reads[] = {"ls", "list", "get"};
    if (!SBX_OPERAND_IN(use, 1, reads) && !sbx_use_has(use, "--dry-run"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a package published",
                 "publishing needs a person; ask");
}

static void npm_config(struct sbx_judge *j, const struct sbx_use *use)
{
    bool reads = sbx_operand_is(use, 1, "get");
    for (uint32_t i = 1; i < use->operands; i++) {
        const char *text = use->operand[i]->text;
        if (reads && (strstr(text, "_auth") || strstr(text, "_password")))
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "a token printed",
                     "tools find their token by themselves");
        else if (!reads && (strstr(text, "script-shell") || strstr(text, "node-options") ||
                            strstr(text, "git=")))
            sbx_find(j, SBX_DENY, SBX_CLASS_PERSISTENCE, "a setting that makes npm run a program",
                     "run that program by itself");
    }
}

/* npm exec CMD…, npm exec -c TEXT, npx CMD…; at: where the command begins. */
static void npm_exec(struct sbx_judge *j, struct sbx_use *use, uint32_t at)
{
    const struct sbx_opt *call = sbx_use_option(use, "-c");
    if (call && call->value)
        sbx_judge_code(j, call->value, use->in, use->out);
    if (at >= use->operands)
        return;
    if (at + 1 == use->operands && strchr(use->operand[at]->text, ' '))
        sbx_judge_code(j, use->operand[at], use->in, use->out);
    const struct sbx_command_row *row =
        sbx_command_find(use->operand[at]->text, use->operand[at]->len);
    if (at || row)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}

/* npm pkg set scripts.x='CMD', npm set-script x 'CMD' */
static void npm_scripts(struct sbx_judge *j, struct sbx_use *use)
{
    if (sbx_operand_is(use, 0, "set-script") && use->operands > 2)
        sbx_judge_code(j, use->operand[2], NULL, use->out);
    for (uint32_t i = 2; sbx_operand_is(use, 0, "pkg") && i < use->operands; i++) {
        const char *equals = strchr(use->operand[i]->text, '=');
        if (equals && !strncmp(use->operand[i]->text, "scripts.", 8))
            sbx_judge_code(
                j,
                sbx_value_tail(j, use->operand[i], (uint32_t)(equals + 1 - use->operand[i]->text)),
                NULL, use->out);
    }
}

static bool is_elsewhere(const char *text)
{
    return sbx_is_remote_source(text) || is_shorthand(text);
}

void sbx_check_npm(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const installs[] = {"install", "i",  "add",    "isntall", "in",  "ins",
                                           "inst",    "up", "update", "upgrade", "link"};
    static const char *const execs[] = {"exec", "x", "dlx"};
    static const char *const publishes[] = {"publish",  "unpublish", "deprecate", "owner", "access",
                                            "dist-tag", "token",     "adduser",   "login"};
    static const char *const settings[] = {"config", "set", "c"};
    const char *name = use->name;
    bool npx = !strcmp(name, "npx") || !strcmp(name, "bunx") || !strcmp(name, "pnpx");
    bool exec = npx || SBX_OPERAND_IN(use, 0, execs);
    uint32_t at = npx ? 0 : 1;
    if (!npx && SBX_OPERAND_IN(use, 0, publishes))
        npm_publishes(j, use);
    else if (!npx && SBX_OPERAND_IN(use, 0, settings))
        npm_config(j, use);
    if (!npx)
        npm_scripts(j, use);
    if (exec)
        npm_exec(j, use, at);
    if (!exec && !SBX_OPERAND_IN(use, 0, installs))
        return;
    bool elsewhere = sbx_use_letter(use, 'i') != NULL;
    for (uint32_t i = at; i < use->operands && (!exec || i == at); i++)
        elsewhere |= is_elsewhere(use->operand[i]->text);
    for (uint32_t i = 0; i < use->options; i++)
        elsewhere |= use->option[i].letter == 'p' && use->option[i].value &&
                     is_elsewhere(use->option[i].value->text);
    if (elsewhere)
        sbx_find_source(j);
}

/* pipx run --spec WHERE: what is fetched or built there runs at once. */
static void judge_spec(struct sbx_judge *j, const struct sbx_value *where)
{
    if (sbx_is_remote_source(where->text))
        sbx_find_source(j);
    else if (where->len && strchr("./~", where->text[0]))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a package run unseen",
                 "install it first, or run its program by name");
}

/* What the options say; true where code comes from an address. */
static bool source_options(struct sbx_judge *j, const struct sbx_use *use)
{
    bool hit = false;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (!o->value)
            continue;
        bool loopback = strstr(o->value->text, "://localhost") || strstr(o->value->text, "://127.");
        bool remote = sbx_is_remote_source(o->value->text);
        hit |= (o->letter == 'g' || o->letter == 'i') && remote && !loopback;
        hit |= (o->letter == 'e' || o->letter == 'F' || o->letter == 'r') && remote;
        if (o->letter == 'P')
            judge_spec(j, o->value);
        if (o->letter == 'c' &&
            (strstr(o->value->text, "runner") || strstr(o->value->text, "rustc") ||
             strstr(o->value->text, "linker") || strstr(o->value->text, "credential")))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "a setting that runs a program",
                     "run that program by itself");
    }
    return hit;
}

/* uv run CMD, poetry run CMD, conda run -n ENV CMD */
static void package_run(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const valued[] = {"-n",      "--with",  "-p", "--python",
                                         "--spec",  "--from",  "-r", "--with-requirements",
                                         "--index", "--extra", "-C", "--directory"};
    uint32_t at = 1;
    while (at < use->operands && use->operand[at]->text[0] == '-') {
        bool spec = sbx_operand_is(use, at, "--spec") || sbx_operand_is(use, at, "--from");
        if (spec && at + 1 < use->operands)
            judge_spec(j, use->operand[at + 1]);
        at += SBX_OPERAND_IN(use, at, valued) ? 2 : 1;
    }
    if (at < use->operands)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
}

/* go run host/path@version, go install host/path */
static bool is_go_source(const struct sbx_use *use, const char *text)
{
    if (strncmp(use->name, "go ", 3) != 0 || !strcmp(use->name, "go get") || text[0] == '.')
        return false;
    return (strchr(text, '@') && strchr(text, '.')) ||
           (strchr(text, '/') && text[0] != '/' && memchr(text, '.', strcspn(text, "/")));
}

void sbx_check_remote_package(struct sbx_judge *j, struct sbx_use *use)
{
    const char *name = use->name;
    static const char *const runs[] = {"run", "exec", "dlx"};
    bool own = !strncmp(name, "cargo", 5) || !strncmp(name, "go", 2) || !strncmp(name, "deno", 4);
    bool pipx = !strcmp(name, "uvx") || !strcmp(name, "pipx");
    if (sbx_operand_is(use, 0, "publish") && !sbx_use_has(use, "--dry-run"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "a package published",
                 "publishing needs a person; ask");
    bool hit = source_options(j, use);
    for (uint32_t i = 0; pipx && i + 1 < use->operands; i++)
        if (sbx_operand_is(use, 0, "run") && sbx_operand_is(use, i, "--spec"))
            judge_spec(j, use->operand[i + 1]);
    if (!pipx && !own && use->operands > 1 && SBX_OPERAND_IN(use, 0, runs)) {
        package_run(j, use);
        return;
    }
    if (!strncmp(name, "go ", 3) && use->in && use->in->text &&
        (sbx_operand_is(use, 0, "/dev/stdin") || sbx_operand_is(use, 0, "-")))
        sbx_classify_program(j, "go", use->in->text, NULL);
    for (uint32_t i = 0; i < use->operands; i++) {
        const char *text = use->operand[i]->text;
        hit |= sbx_is_remote_source(text) || is_go_source(use, text);
        if (text[0] == '/')
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    }
    if (hit)
        sbx_find_source(j);
    if (!strcmp(name, "easy_install") && use->operands && strchr("./", use->operand[0]->text[0]))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a package run unseen",
                 "build a wheel and install that");
    if (!strncmp(name, "deno ", 5) && use->operands && !sbx_is_remote_source(use->operand[0]->text))
        (void)sbx_run_file(j, use->operand[0], use);
}

static const char *const system_managers[] = {"apt",
                                              "apt-get",
                                              "aptitude",
                                              "dpkg",
                                              "dnf",
                                              "yum",
                                              "rpm",
                                              "zypper",
                                              "pacman",
                                              "yay",
                                              "paru",
                                              "apk",
                                              "snap",
                                              "flatpak",
                                              "xbps-install",
                                              "pkg_add",
                                              "pkg",
                                              "swupd",
                                              "pkg",
                                              "apt-key",
                                              "add-apt-repository",
                                              "apt-add-repository",
                                              "dpkg-reconfigure",
                                              "apt-mark",
                                              "update-alternatives",
                                              "ldconfig",
                                              "emerge",
                                              "eopkg",
                                              "opkg",
                                              "installpkg",
                                              "slackpkg",
                                              "microdnf",
                                              "tdnf",
                                              "rpm-ostree",
                                              "ostree",
                                              "dpkg-divert",
                                              "dpkg-statoverride",
                                              "unattended-upgrade"};

static bool holds_any(const char *text, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strstr(text, parts[i]))
            return true;
    return false;
}

/* apt -o APT::…::Pre-Invoke=, rpm --eval '%(…)', cpan -e CODE; true: code from an address. */
static bool package_options(struct sbx_judge *j, struct sbx_use *use, bool system)
{
    static const char *const hooks[] = {"Pre-Invoke", "Post-Invoke", "Pager", "Dpkg::Options",
                                        "Pre-Install"};
    static const char *const macros[] = {"%(", "lua:", "%{lua"};
    bool remote = false;
    for (uint32_t i = 0; i < use->options; i++) {
        const struct sbx_opt *o = &use->option[i];
        if (!o->value)
            continue;
        const char *text = o->value->text;
        bool source =
            o->letter == 'g' || !strncmp(o->name, "--source", 8) || !strncmp(o->name, "-s", 2);
        if ((o->letter == 'o' && holds_any(text, hooks, sizeof(hooks) / sizeof(*hooks))) ||
            (o->letter == 'E' && holds_any(text, macros, sizeof(macros) / sizeof(*macros))))
            sbx_find(j, SBX_DENY, SBX_CLASS_SHELL_EVASION, "an option that runs a program",
                     "run that program by itself");
        if (o->letter == 'e' && !system)
            sbx_classify_program(j, use->name, o->value, use->in);
        remote |= source && sbx_is_remote_source(text) && !strstr(text, "rubygems.org");
    }
    return remote;
}

static bool ends_with(const struct sbx_value *word, const char *end)
{
    size_t len = strlen(end);
    return word->len > len && !strcmp(word->text + word->len - len, end);
}

/* A package file of nobody knows whom: its scripts run. */
static bool is_package_file(const struct sbx_use *use)
{
    static const char *const kinds[] = {".deb", ".rpm",     ".apk",  ".snap",  ".txz",
                                        ".pkg", ".flatpak", ".xbps", ".eopkg", ".ipk"};
    static const char *const reads[] = {"show", "info", "contents", "search", "list"};
    if (SBX_OPERAND_IN(use, 0, reads) ||
        (!sbx_use_letter(use, 'I') &&
         sbx_use_has(use,
                     "-I -c -x -l -L -q -qip -s --info --contents --extract --list -q --query")))
        return false;
    for (uint32_t i = 0; i < use->operands; i++)
        for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds); k++)
            if (ends_with(use->operand[i], kinds[k]))
                return true;
    return false;
}

void sbx_check_packages(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const execs[] = {"exec", "run", "x"};
    static const char *const builders[] = {"dpkg-deb", "rpmbuild", "alien", "rpm2cpio"};
    bool system = false, builder = false;
    for (size_t i = 0; i < sizeof(system_managers) / sizeof(*system_managers); i++)
        system |= !strcmp(use->name, system_managers[i]);
    for (size_t i = 0; i < sizeof(builders) / sizeof(*builders); i++)
        builder |= !strcmp(use->name, builders[i]);
    bool remote = package_options(j, use, system);
    for (uint32_t i = 0; i < use->operands; i++) {
        remote |= sbx_is_remote_source(use->operand[i]->text);
        if (use->operand[i]->text[0] == '/')
            (void)sbx_check_path(j, use->operand[i], SBX_ACCESS_READ);
    }
    if (remote && (!system || !strcmp(use->name, "flatpak")))
        sbx_find_source(j);
    uint32_t at = sbx_operand_is(use, 1, "--") ? 2 : 1;
    if (use->operands > at && SBX_OPERAND_IN(use, 0, execs) && !system)
        sbx_judge_argv(j, (struct sbx_argv){use->operand + at, use->operands - at}, use->in,
                       use->out);
    if (!strcmp(use->name, "update-alternatives") && sbx_use_letter(use, 'I') && use->operands)
        (void)sbx_check_path(j, use->operand[0], SBX_ACCESS_WRITE);
    /* Without root rights the system's packages stay as they are, whatever is typed. */
    if (system && !builder && is_package_file(use))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a package file whose scripts run",
                 "use packages by name, or ask");
}

/* --- what was just fetched ------------------------------------------------------------------------- */
static bool is_fetched(const struct sbx_judge *j, const char *path)
{
    for (const struct sbx_made *m = j->made; m; m = m->next)
        if (!m->text && (m->taint & SBX_TAINT_NET) && sbx_path_below(path, m->path))
            return true;
    return false;
}

/* These run what the folder says: its makefile, its scripts, its tests. */
void sbx_classify_build(struct sbx_judge *j, const struct sbx_use *use)
{
    bool patches = !strcmp(use->name, "git apply") || !strcmp(use->name, "git am") ||
                   !strcmp(use->name, "patch");
    if (patches && use->in && (use->in->taint & SBX_TAINT_NET) && *j->cwd)
        sbx_made_add(j, j->cwd, NULL, SBX_TAINT_NET, NULL);
    static const char *const builds[] = {
        "make",   "gmake",    "ninja",          "just",       "gradle",      "mvn",
        "ant",    "scons",    "meson",          "cmake",      "npm",         "pnpm",
        "yarn",   "tox",      "pytest",         "cargo run",  "go run",      "rake",
        "pip",    "pip3",     "poetry",         "cargo test", "cargo build", "go test",
        "bundle", "composer", "docker-compose", "uv"};
    bool hit = false;
    for (size_t i = 0; j->made && i < sizeof(builds) / sizeof(*builds); i++)
        hit |= !strcmp(use->name, builds[i]);
    if (!hit || sbx_use_is_question(use))
        return;
    bool named = !strncmp(use->name, "pip", 3), fetched = !named && is_fetched(j, j->cwd);
    for (uint32_t i = 0; i < use->operands; i++) {
        char path[SBX_PATH_BYTES];
        if (strchr("./", use->operand[i]->text[0]) &&
            sbx_path_of(j, use->operand[i], path, sizeof(path)))
            fetched |= is_fetched(j, path);
    }
    if (fetched)
        sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "a project built as soon as it was fetched",
                 "read what was downloaded first, and build it in a later command");
}
