#include "policy/place.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

static bool is_pid_name(const char *name, size_t len)
{
    if ((len == 4 && !memcmp(name, "self", 4)) || (len == 11 && !memcmp(name, "thread-self", 11)))
        return true;
    for (size_t i = 0; i < len; i++)
        if (!isdigit((unsigned char)name[i]) && name[i] != SBX_UNKNOWN_BYTE)
            return false;
    return len > 0;
}

/* /proc/PID/root is the root again, /proc/PID/cwd the current directory: ways round, not places. */
static void fold_proc(const struct sbx_judge *j, struct sbx_place *p)
{
    if (strncmp(p->text, "/proc/", 6))
        return;
    const char *pid = p->text + 6, *slash = strchr(pid, '/');
    if (!slash || !is_pid_name(pid, (size_t)(slash - pid)))
        return;
    if (!strcmp(slash, "/root")) {
        p->len = 0;
        p->text[0] = 0;
        p->adrift = false;
    } else if (!strcmp(slash, "/cwd") && *j->cwd) {
        p->len = strlen(j->cwd);
        memcpy(p->text, j->cwd, p->len + 1);
        memset(p->mask, 0, p->len + 1);
        if (p->len == 1)
            p->text[p->len = 0] = 0;
    }
}

static bool push(const struct sbx_judge *j, struct sbx_place *p, const char *name, const char *mask,
                 size_t len)
{
    bool literal =
        !mask || (!memchr(mask, SBX_MASK_GLOB, len) && !memchr(mask, SBX_MASK_UNKNOWN, len) &&
                  !memchr(mask, SBX_MASK_NONEMPTY, len));
    if (!len || (literal && len == 1 && name[0] == '.'))
        return true;
    if (literal && len == 2 && name[0] == '.' && name[1] == '.') {
        if (!strcmp(p->text, "/dev/fd")) {
            memcpy(p->text, "/proc/self", 11); /* /dev/fd is a link to /proc/self/fd */
            p->len = 10;
            return true;
        }
        char *slash = strrchr(p->text, '/');
        p->len = slash ? (size_t)(slash - p->text) : 0;
        p->text[p->len] = 0;
        return true;
    }
    if (p->len + len + 2 > sizeof(p->text))
        return false;
    p->text[p->len] = '/';
    p->mask[p->len++] = SBX_MASK_LITERAL;
    memcpy(p->text + p->len, name, len);
    if (mask)
        memcpy(p->mask + p->len, mask, len);
    else
        memset(p->mask + p->len, SBX_MASK_LITERAL, len);
    p->len += len;
    p->text[p->len] = 0;
    fold_proc(j, p);
    return true;
}

static bool push_all(const struct sbx_judge *j, struct sbx_place *p, const char *text,
                     const char *mask, size_t len)
{
    size_t start = 0;
    for (size_t i = 0; i <= len; i++) {
        if (i < len && text[i] != '/')
            continue;
        if (!push(j, p, text + start, mask ? mask + start : NULL, i - start))
            return false;
        start = i + 1;
    }
    return true;
}

static void finish(struct sbx_place *p)
{
    if (!p->len) {
        p->text[0] = '/';
        p->text[1] = 0;
        p->mask[0] = SBX_MASK_LITERAL;
        p->len = 1;
    }
    p->has_glob = memchr(p->mask, SBX_MASK_GLOB, p->len);
    p->has_unknown =
        memchr(p->mask, SBX_MASK_UNKNOWN, p->len) || memchr(p->mask, SBX_MASK_NONEMPTY, p->len);
}

/* Links of existing parts, through the caller's eyes; devices and descriptors keep their names. */
static void resolve_links(struct sbx_judge *j, const struct sbx_value *value, struct sbx_place *p)
{
    const struct sbx_fs *fs = j->context->fs;
    char whole[SBX_PATH_BYTES], real[SBX_PATH_BYTES];
    if (!fs || !fs->resolve || p->adrift || p->has_glob || p->has_unknown)
        return;
    if (!strncmp(p->text, "/dev/", 5) || !strncmp(p->text, "/proc/", 6))
        return;
    size_t cwd_len = value->text[0] == '/' ? 0 : strlen(j->cwd);
    if (cwd_len + value->len + 2 > sizeof(whole))
        return;
    /* The text as written, so that ".." after a link means what the kernel makes of it. */
    memcpy(whole, j->cwd, cwd_len);
    whole[cwd_len] = '/';
    memcpy(whole + cwd_len + 1, value->text, value->len);
    whole[cwd_len + 1 + value->len] = 0;
    if (fs->resolve(fs->data, whole, real, sizeof(real)) || real[0] != '/')
        return;
    p->len = 0;
    p->text[0] = 0;
    (void)push_all(j, p, real, NULL, strlen(real));
    finish(p);
}

bool sbx_place_of(struct sbx_judge *j, const struct sbx_value *value, struct sbx_place *p)
{
    const char *text = value->text, *mask = value->mask;
    size_t len = value->len;
    p->len = 0;
    p->text[0] = p->mask[0] = 0;
    p->adrift = p->guarded = p->has_glob = p->has_unknown = false;
    if (!len || !sbx_step(j, (len + (text[0] == '/' ? 0 : strlen(j->cwd))) / 64))
        return false;
    if (sbx_mask_unknown(sbx_value_mask(value, 0))) {
        p->adrift = true;
        p->guarded = value->guarded || sbx_value_mask(value, 0) == SBX_MASK_NONEMPTY;
        p->has_unknown = true;
        text++;
        mask++;
        len--;
        if (len && *text != '/')
            p->guarded = true; /* ${x}name: not the root, whatever x is */
    } else if (text[0] != '/') {
        if (!*j->cwd)
            p->adrift = p->guarded = p->has_unknown = true;
        else if (!push_all(j, p, j->cwd, NULL, strlen(j->cwd)))
            return false;
    }
    if (!push_all(j, p, text, mask, len))
        return false;
    bool adrift = p->adrift;
    finish(p);
    p->has_unknown |= adrift;
    resolve_links(j, value, p);
    return true;
}

static bool component_meets(const char *part, const char *mask, size_t len, const char *rule,
                            size_t rule_len)
{
    char a[256], b[256];
    bool wild = memchr(mask, SBX_MASK_GLOB, len), rule_wild = false;
    if (len >= sizeof(a) || rule_len >= sizeof(b))
        return false;
    memcpy(a, part, len);
    memcpy(b, rule, rule_len);
    a[len] = b[rule_len] = 0;
    rule_wild = strpbrk(b, "*?[") != NULL;
    if (memchr(mask, SBX_MASK_UNKNOWN, len) || memchr(mask, SBX_MASK_NONEMPTY, len))
        return false; /* only what is certain, or what a glob says, counts here */
    if (!wild && !rule_wild)
        return len == rule_len && !memcmp(part, rule, len);
    if (!wild)
        return !fnmatch(b, a, 0);
    if (!rule_wild)
        return !fnmatch(a, b, FNM_PERIOD);
    return b[0] != '.' || a[0] == '.';
}

static size_t component(const char *text)
{
    return strcspn(text, "/");
}

static bool put(char *out, size_t size, size_t *at, const char *text, size_t len)
{
    if (*at + len + 1 > size)
        return false;
    memcpy(out + *at, text, len);
    *at += len;
    out[*at] = 0;
    return true;
}

/* One component of the place as an ordinary name. */
static bool put_sample(char *out, size_t size, size_t *at, const char *part, const char *mask,
                       size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (mask[i] == SBX_MASK_LITERAL) {
            if (!put(out, size, at, part + i, 1))
                return false;
        } else if (!i || mask[i - 1] == SBX_MASK_LITERAL) {
            if (!put(out, size, at, "x", 1))
                return false;
        }
    }
    return true;
}

bool sbx_place_meets(const struct sbx_place *place, const char *rule, char *out, size_t size)
{
    const char *a = place->text + 1, *b = rule + 1, *m = place->mask + 1;
    size_t at = 0;
    if (place->adrift || rule[0] != '/')
        return false;
    while (*a) {
        size_t a_len = component(a), b_len = component(b);
        if (!put(out, size, &at, "/", 1))
            return false;
        if (*b) {
            if (!component_meets(a, m, a_len, b, b_len))
                return false;
            bool wild = memchr(b, '*', b_len) || memchr(b, '?', b_len) || memchr(b, '[', b_len);
            if (wild ? !put_sample(out, size, &at, a, m, a_len) : !put(out, size, &at, b, b_len))
                return false;
        } else if (!put_sample(out, size, &at, a, m, a_len)) {
            return false;
        }
        size_t step = a_len + (a[a_len] == '/');
        a += step;
        m += step;
        b += b_len + (b[b_len] == '/');
    }
    return !*b;
}

void sbx_place_sample(const struct sbx_place *place, char *out, size_t size)
{
    size_t at = 0;
    out[0] = 0;
    for (size_t i = 1; i <= place->len && place->text[i];) {
        size_t len = component(place->text + i);
        if (!put(out, size, &at, "/", 1) ||
            !put_sample(out, size, &at, place->text + i, place->mask + i, len))
            return;
        i += len + 1;
    }
    if (!at)
        (void)put(out, size, &at, "/", 1);
}

/* --- credentials anywhere --------------------------------------------------------------------------- */
static const char *const credential_home[] = {
    ".netrc",
    ".git-credentials",
    ".npmrc",
    ".pypirc",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".kube/config",
    ".docker/config.json",
    ".config/gh/hosts.yml",
    ".config/gcloud",
    ".config/hub",
    ".config/glab-cli",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".terraform.d",
    ".terraformrc",
    ".config/rclone",
    ".azure",
    ".m2/settings-security.xml",
    ".yarnrc.yml",
    ".subversion/auth",
    ".config/doctl",
    ".config/op",
    ".password-store",
    ".mozilla",
    ".config/google-chrome",
    ".config/chromium",
    ".config/BraveSoftware",
    ".thunderbird",
    ".local/share/keyrings",
    ".viminfo",
    ".lesshst",
    ".vault-token",
    ".boto",
    ".s3cfg",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".bundle/config",
    ".htpasswd",
    ".Xauthority",
    ".config/rclone.conf",
    ".dockercfg",
    ".oci",
    ".heroku",
    ".config/heroku",
    ".config/pip/pip.conf",
    ".config/age",
    ".config/sops",
    ".config/containers/auth.json",
    ".snowsql",
    ".databrickscfg",
    ".config/fly",
    ".fly",
    ".config/wandb",
    ".huggingface/token",
    ".cache/huggingface/token",
    ".kaggle",
    ".config/Bitwarden CLI",
    ".msmtprc",
    ".fetchmailrc",
    ".mutt",
    ".smbcredentials",
};
static const char *const credential_names[] = {
    "*.key",
    "*.pem",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "wallet.dat",
    ".netrc.*",
    "*.kdbx",
    "*.ppk",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    ".env",
    ".env.*",
    ".netrc",
    ".git-credentials",
    ".pgpass",
    ".pypirc",
    "*.tfstate",
    "credentials.json",
    "service-account*.json",
    "master.key",
    ".vault_pass*",
    "kubeconfig",
    "*.keytab",
    ".htpasswd",
    "*.env",
};
static const char *const credential_not[] = {
    ".env.example",  ".env.sample", ".env.template", ".env.dist",    ".env.test",
    "*.pub",         "*pub.pem",    "*cert*.pem",    "*public*.pem", "cacert.pem",
    "ca.pem",        "*chain*.pem", "ca-*.pem",      "*-ca.pem",     ".env.*.example",
    ".env.defaults", "example.env", "sample.env",    "*.crt.pem",    "*pub*.key",
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

bool sbx_like(const char *pattern, const char *text)
{
    const char *star = NULL, *back = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            back = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++back;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static bool matches_any(const char *name, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sbx_like(patterns[i], name))
            return true;
    return false;
}

bool sbx_is_credential(const struct sbx_judge *j, const char *path)
{
    const char *name = base_name(path);
    size_t home = strlen(j->home);
    if (!strchr(name, '.') && !strstr(path, "/.") && strncmp(name, "id_", 3) &&
        strcmp(name, "kubeconfig"))
        return false; /* nearly every path */
    /* Certificates and package files of the system are public. */
    if (!strncmp(path, "/etc/ssl/certs/", 15) || !strncmp(path, "/usr/", 5))
        return false;
    if (matches_any(name, credential_not, COUNT(credential_not)))
        return false;
    if (!strncmp(path, j->home, home) && path[home] == '/') {
        const char *rest = path + home + 1;
        for (size_t i = 0; i < COUNT(credential_home); i++) {
            size_t len = strlen(credential_home[i]);
            if (!strncmp(rest, credential_home[i], len) && (!rest[len] || rest[len] == '/'))
                return true;
        }
        if (!strchr(rest, '/') && sbx_like(".*_history", rest))
            return true;
    }
    /* The store of a home that lies somewhere else. */
    return matches_any(name, credential_names, COUNT(credential_names)) ||
           sbx_like("*/.aws/credentials", path) || sbx_like("*/.kube/config", path);
}

bool sbx_place_is_credential(const struct sbx_judge *j, const struct sbx_place *place)
{
    static const char *const samples[] = {".env",  ".env.local", "id_rsa", "id_ed25519",   "x.pem",
                                          "x.key", ".netrc",     ".npmrc", ".bash_history"};
    if (place->adrift && place->len < 2)
        return false;
    if (!place->has_glob)
        return !place->has_unknown ? sbx_is_credential(j, place->text)
                                   : !place->adrift && sbx_is_credential(j, place->text);
    const char *slash = strrchr(place->text, '/');
    const char *last = slash ? slash + 1 : place->text;
    if (!strcmp(last, "*") || last[0] == '*')
        return sbx_like("*.pem", last) || sbx_like("*.key", last) || sbx_like("*.env", last);
    char path[SBX_PATH_BYTES];
    for (size_t i = 0; i < COUNT(samples); i++) {
        if (fnmatch(last, samples[i], FNM_PERIOD))
            continue;
        size_t at = 0;
        if (put(path, sizeof(path), &at, place->text, (size_t)(last - place->text)) &&
            put(path, sizeof(path), &at, samples[i], strlen(samples[i])) &&
            sbx_is_credential(j, path))
            return true;
    }
    return false;
}

bool sbx_is_key_name(const char *name)
{
    static const char *const hunted[] = {"id_rsa*",    "id_dsa*",
                                         "id_ecdsa*",  "id_ed25519*",
                                         "*.pem",      "*.key",
                                         "*.kdbx",     "*.p12",
                                         "*.pfx",      "shadow",
                                         "*.ppk",      ".netrc",
                                         "*id_rsa*",   "*credentials*",
                                         "*.keystore", ".ssh",
                                         "*/.ssh/*",   ".aws",
                                         ".gnupg",     "*/.aws/*",
                                         "*/.gnupg/*", "authorized_keys",
                                         ".env",       ".env*",
                                         ".pgpass",    ".git-credentials",
                                         ".npmrc"};
    const char *base = base_name(name);
    if (strstr(name, ".ssh/") || strstr(name, ".aws/") || strstr(name, ".gnupg/"))
        return true;
    /* The hunted name may itself be a pattern: -name 'id_*'. */
    for (size_t i = 0; i < COUNT(hunted); i++)
        if (!strcmp(base, hunted[i]) || (strcmp(base, "*") && sbx_like(hunted[i], base)))
            return true;
    return !strncmp(base, "id_", 3) && strpbrk(base, "*?[");
}

/* --- configuration that runs code --------------------------------------------------------------------- */
struct code_config {
    const char *pattern; /* of the path's tail, components */
    enum sbx_class class;
    enum sbx_verdict_kind verdict;
};

static const struct code_config code_configs[] = {
    {"*/.git",                    SBX_CLASS_PLANTED_REPO, SBX_DENY},
    {"*/objects/info/alternates", SBX_CLASS_PLANTED_REPO, SBX_DENY},
    {"*/.git/hooks",              SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.git/hooks/*",            SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.git/modules/*/hooks/*",  SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.git/config",             SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.git/config.worktree",    SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.git/commondir",          SBX_CLASS_PLANTED_REPO, SBX_DENY},
    {"*/.git/gitdir",             SBX_CLASS_PLANTED_REPO, SBX_DENY},
    {"*/.git/info/attributes",    SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.git/*",                  SBX_CLASS_GIT_DESTROY,  SBX_ASK },
    {"*/.husky/*",                SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.claude/settings*.json",  SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.claude/skills/*",        SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.claude/commands/*",      SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.claude/agents/*",        SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.claude/hooks/*",         SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.mcp.json",               SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.cursor/mcp.json",        SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.vscode/tasks.json",      SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.vscode/settings.json",   SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.idea/*",                 SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/.envrc",                  SBX_CLASS_PERSISTENCE,  SBX_ASK },
    {"*/sitecustomize.py",        SBX_CLASS_PERSISTENCE,  SBX_DENY},
    {"*/usercustomize.py",        SBX_CLASS_PERSISTENCE,  SBX_DENY},
    {"*/site-packages/*.pth",     SBX_CLASS_PERSISTENCE,  SBX_DENY},
};

enum sbx_class sbx_code_config(const struct sbx_judge *j, const char *path,
                               enum sbx_verdict_kind *verdict)
{
    (void)j;
    if (!strstr(path, "/.") && !strstr(path, "/objects/") && !strstr(path, "customize.py") &&
        !strstr(path, ".pth"))
        return SBX_CLASS_NONE;
    for (size_t i = 0; i < COUNT(code_configs); i++) {
        if (!sbx_like(code_configs[i].pattern, path))
            continue;
        *verdict = code_configs[i].verdict;
        return code_configs[i].class;
    }
    return SBX_CLASS_NONE;
}

static const struct {
    const char *pattern;
    enum sbx_class class;
} system_classes[] = {
    {"/dev/*",                        SBX_CLASS_DEVICE_WRITE},
    {"/var/log",                      SBX_CLASS_LOG_TAMPER  },
    {"/var/log/*",                    SBX_CLASS_LOG_TAMPER  },
    {"/var/run/utmp",                 SBX_CLASS_LOG_TAMPER  },
    {"/run/utmp",                     SBX_CLASS_LOG_TAMPER  },
    {"/run/log/*",                    SBX_CLASS_LOG_TAMPER  },
    {"/etc/rsyslog*",                 SBX_CLASS_LOG_TAMPER  },
    {"/etc/audit*",                   SBX_CLASS_LOG_TAMPER  },
    {"/etc/logrotate*",               SBX_CLASS_LOG_TAMPER  },
    {"/proc/sys/kernel/core_pattern", SBX_CLASS_PRIV_ESC    },
    {"/proc/sys/kernel/modprobe",     SBX_CLASS_PRIV_ESC    },
    {"/proc/*",                       SBX_CLASS_HOST_CONTROL},
    {"/sys/*",                        SBX_CLASS_HOST_CONTROL},
    {"/etc/sudoers*",                 SBX_CLASS_PRIV_ESC    },
    {"/etc/passwd*",                  SBX_CLASS_PRIV_ESC    },
    {"/etc/group*",                   SBX_CLASS_PRIV_ESC    },
    {"/etc/shadow*",                  SBX_CLASS_PRIV_ESC    },
    {"/etc/shells",                   SBX_CLASS_PRIV_ESC    },
    {"/etc/polkit*",                  SBX_CLASS_PRIV_ESC    },
    {"/etc/hosts",                    SBX_CLASS_HOST_CONTROL},
    {"/etc/resolv.conf",              SBX_CLASS_HOST_CONTROL},
    {"/etc/cron*",                    SBX_CLASS_PERSISTENCE },
    {"/var/spool/cron*",              SBX_CLASS_PERSISTENCE },
    {"/etc/systemd/*",                SBX_CLASS_PERSISTENCE },
    {"/lib/systemd/*",                SBX_CLASS_PERSISTENCE },
    {"/usr/lib/systemd/*",            SBX_CLASS_PERSISTENCE },
    {"/etc/init.d/*",                 SBX_CLASS_PERSISTENCE },
    {"/etc/rc*",                      SBX_CLASS_PERSISTENCE },
    {"/etc/profile*",                 SBX_CLASS_PERSISTENCE },
    {"/etc/bash*",                    SBX_CLASS_PERSISTENCE },
    {"/etc/environment*",             SBX_CLASS_PERSISTENCE },
    {"/etc/ld.so*",                   SBX_CLASS_PERSISTENCE },
    {"/etc/pam.d/*",                  SBX_CLASS_PERSISTENCE },
    {"/etc/security/*",               SBX_CLASS_PERSISTENCE },
    {"/etc/udev/*",                   SBX_CLASS_PERSISTENCE },
    {"/etc/ssh/*",                    SBX_CLASS_PERSISTENCE },
    {"/etc/update-motd.d/*",          SBX_CLASS_PERSISTENCE },
    {"/etc/gitconfig",                SBX_CLASS_PERSISTENCE },
};

enum sbx_class sbx_system_class(const char *path)
{
    for (size_t i = 0; i < COUNT(system_classes); i++)
        if (sbx_like(system_classes[i].pattern, path))
            return system_classes[i].class;
    return SBX_CLASS_PATH;
}
