/* Containers and virtual machines. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- containers -------------------------------------------------------------------------------------------------------------------------- */
static void container_mount(struct sbx_judge *j, const char *text, size_t len)
{
    char path[SBX_PATH_BYTES];
    struct sbx_value *source = sbx_value_new(&j->arena, text, len);
    if (!source || !len || (text[0] != '/' && text[0] != '.' && text[0] != '~') ||
        !sbx_path_of(j, source, path, sizeof(path)))
        return;
    if (strstr(path, ".sock"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket in a container",
                 "there is no such socket here");
    else if (!sbx_path_in_work(j, path) && !sbx_path_below(path, j->home))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "folders of the machine in a container",
                 "mount folders of the project only");
    else
        (void)sbx_check_path(j, source, SBX_ACCESS_READ);
    if (!strcmp(path, j->home))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "the whole home in a container",
                 "mount folders of the project only");
}

/* --secret id=x,src=FILE, --env-file FILE: what a container gets to see. */
static void container_file(struct sbx_judge *j, const char *value)
{
    const char *source = strstr(value, "src=")      ? strstr(value, "src=") + 4
                         : strstr(value, "source=") ? strstr(value, "source=") + 7
                         : strchr(value, '=')       ? strchr(value, '=') + 1
                                                    : value;
    struct sbx_value *file = sbx_value_new(&j->arena, source, strcspn(source, ","));
    if (file && file->len)
        (void)sbx_check_path(j, file, SBX_ACCESS_READ);
}

static void container_words(struct sbx_judge *j, struct sbx_use *use)
{
    for (uint32_t i = use->first; i < use->words; i++) {
        const char *text = use->word[i]->text,
                   *next = i + 1 < use->words ? use->word[i + 1]->text : "";
        const char *equals = strchr(text, '='), *value = equals ? equals + 1 : next;
        if (!strcmp(text, "--privileged") || !strncmp(text, "--privileged=t", 14) ||
            !strncmp(text, "--cap-add", 9) || !strncmp(text, "--device", 8) ||
            (!strncmp(text, "--security-opt", 14) &&
             (strstr(value, "unconfined") || strstr(value, "disable"))) ||
            ((!strncmp(text, "--pid", 5) || !strncmp(text, "--net", 5) ||
              !strncmp(text, "--network", 9) || !strncmp(text, "--ipc", 5) ||
              !strncmp(text, "--uts", 5) || !strncmp(text, "--userns", 8) ||
              !strncmp(text, "--cgroupns", 10)) &&
             !strcmp(value, "host")))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a container with rights of the machine",
                     "containers get no rights of the machine");
        bool mount = !strcmp(text, "-v") || !strncmp(text, "--volume", 8),
             tree = !strncmp(text, "--mount", 7);
        if (mount && strncmp(text, "--volumes-from", 14) != 0)
            container_mount(j, value, strcspn(value, ":"));
        else if (text[0] == '-' && text[1] == 'v' && text[2] == '/')
            container_mount(j, text + 2, strcspn(text + 2, ":"));
        static const char *const reads[] = {"--env-file",     "--secret",    "--label-file",
                                            "--ssh",          "--from-file", "--from-env-file",
                                            "--build-context"};
        for (size_t k = 0; k < sizeof(reads) / sizeof(*reads); k++)
            if (!strncmp(text, reads[k], strlen(reads[k])))
                container_file(j, value);
        if (tree) {
            const char *source = strstr(value, "src=")      ? strstr(value, "src=") + 4
                                 : strstr(value, "source=") ? strstr(value, "source=") + 7
                                                            : "";
            container_mount(j, source, strcspn(source, ","));
        }
    }
}

/* docker run [OPTION…] IMAGE: where the image stands; words: nowhere. */
static uint32_t image_at(const struct sbx_use *use)
{
    static const char *const flags[] = {"-d",
                                        "-i",
                                        "-t",
                                        "-it",
                                        "-ti",
                                        "--rm",
                                        "--init",
                                        "--detach",
                                        "--interactive",
                                        "--tty",
                                        "--read-only",
                                        "--privileged",
                                        "-P",
                                        "-itd",
                                        "-dit",
                                        "--no-healthcheck",
                                        "-q"};
    uint32_t at = use->first;
    while (at < use->words && !sbx_value_is(use->word[at], "run") &&
           !sbx_value_is(use->word[at], "pull") && !sbx_value_is(use->word[at], "create"))
        at++;
    for (at++; at < use->words && use->word[at]->text[0] == '-'; at++) {
        bool flag = strchr(use->word[at]->text, '=') != NULL;
        for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++)
            flag |= sbx_value_is(use->word[at], flags[i]);
        at += !flag;
    }
    return at < use->words ? at : use->words;
}

/* An image of a registry that is none of the usual ones. */
static void container_image(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const usual[] = {"docker.io/",      "ghcr.io/",           "quay.io/",
                                        "gcr.io/",         "mcr.microsoft.com/", "registry.k8s.io/",
                                        "public.ecr.aws/", "localhost"};
    uint32_t at = image_at(use);
    if (at >= use->words)
        return;
    const char *image = use->word[at]->text, *slash = strchr(image, '/');
    if (!slash || !memchr(image, '.', (size_t)(slash - image)))
        return;
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
        if (!strncmp(image, usual[i], strlen(usual[i])))
            return;
    if (image[0] != '.' && image[0] != '/')
        sbx_find(j, SBX_ASK, SBX_CLASS_REMOTE_CODE, "an image of an unknown registry",
                 "use images of the usual registries, or ask");
}

/* --- what runs inside, on folders of this machine ------------------------------------------------------ */
#define MOUNTS_MAX 8
#define INSIDE     "/tmp/inside-a-container"

struct mount {
    const char *host, *inside;
    size_t host_len, inside_len;
};

/* -v HERE:THERE, --mount type=bind,src=HERE,dst=THERE */
static bool mount_of(const char *word, const char *next, struct mount *out)
{
    const char *equals = strchr(word, '='), *value = equals ? equals + 1 : next;
    if (!strcmp(word, "-v") || !strncmp(word, "--volume", 8)) {
        const char *colon = strchr(value, ':');
        *out = (struct mount){.host = value, .host_len = strcspn(value, ":")};
        out->inside = colon ? colon + 1 : NULL;
        out->inside_len = colon ? strcspn(colon + 1, ":") : 0;
    } else if (!strncmp(word, "--mount", 7)) {
        const char *from =
            strstr(value, "src=") ? strstr(value, "src=") + 4 : strstr(value, "source=");
        const char *to =
            strstr(value, "dst=") ? strstr(value, "dst=") + 4 : strstr(value, "target=");
        from = from && *from == 's' ? from + 7 : from;
        to = to && *to == 't' ? to + 7 : to;
        *out = (struct mount){.host = from, .inside = to};
        out->host_len = from ? strcspn(from, ",") : 0;
        out->inside_len = to ? strcspn(to, ",") : 0;
    } else {
        return false;
    }
    return out->host_len && out->inside_len > 1;
}

/* A path inside as it is named out here; what is in no mount is nobody's. */
static struct sbx_value *outside(struct sbx_judge *j, const struct sbx_value *word,
                                 const struct mount *mounts, uint32_t count)
{
    struct sbx_text text = {.arena = &j->arena};
    size_t skip = 0;
    for (uint32_t i = 0; i < count && !skip; i++) {
        const struct mount *m = &mounts[i];
        if (word->len < m->inside_len || memcmp(word->text, m->inside, m->inside_len) != 0 ||
            (word->text[m->inside_len] && word->text[m->inside_len] != '/'))
            continue;
        skip = m->inside_len;
        sbx_text_put(&text, m->host, m->host_len, SBX_MASK_LITERAL);
    }
    if (!skip && word->text[0] == '/')
        sbx_text_put(&text, INSIDE, strlen(INSIDE), SBX_MASK_LITERAL);
    struct sbx_value rest = *word;
    rest.text += skip;
    rest.len -= (uint32_t)skip;
    rest.mask = rest.mask ? rest.mask + skip : NULL;
    sbx_text_append(&text, &rest);
    return sbx_text_value(&text, word->span);
}

/* docker run -v "$PWD":/src IMAGE rm -rf /src loses what lies out here. */
static void container_inner(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const tools[] = {"rm",    "find", "shred",    "chmod",
                                        "chown", "mv",   "truncate", "rsync"};
    struct mount mounts[MOUNTS_MAX];
    uint32_t count = 0, image = image_at(use), n = 0;
    const struct sbx_value *workdir = NULL;
    for (uint32_t i = use->first; i < image && count < MOUNTS_MAX; i++) {
        const char *next = i + 1 < use->words ? use->word[i + 1]->text : "";
        count += mount_of(use->word[i]->text, next, &mounts[count]);
        if ((sbx_value_is(use->word[i], "-w") || sbx_value_is(use->word[i], "--workdir")) && *next)
            workdir = use->word[i + 1];
    }
    bool known = false;
    for (size_t i = 0; image + 1 < use->words && i < sizeof(tools) / sizeof(*tools); i++)
        known |= sbx_value_is(use->word[image + 1], tools[i]);
    struct sbx_value **words = sbx_arena_alloc(&j->arena, (use->words + 1) * sizeof(*words));
    if (!count || !known || !words)
        return;
    for (uint32_t i = image + 1; i < use->words; i++)
        if (!(words[n++] = outside(j, use->word[i], mounts, count)))
            return;
    const char *cwd = sbx_cwd_save(j);
    const struct sbx_value nowhere = {.text = INSIDE, .len = sizeof(INSIDE) - 1};
    sbx_chdir(j, workdir ? outside(j, workdir, mounts, count) : &nowhere);
    struct sbx_flow out = {0};
    sbx_judge_argv(j, (struct sbx_argv){words, n}, NULL, &out);
    sbx_cwd_restore(j, cwd);
}

static void find_bulk(struct sbx_judge *j, const char *what)
{
    sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, what,
             "this loses data; name what may go, and ask");
}

static bool has_word(const struct sbx_use *use, const char *text)
{
    for (uint32_t i = use->first; i < use->words; i++)
        if (sbx_value_is(use->word[i], text))
            return true;
    return false;
}

static bool holds_word(const struct sbx_use *use, const char *part)
{
    for (uint32_t i = use->first; i < use->words; i++)
        if (strstr(use->word[i]->text, part))
            return true;
    return false;
}

/* rm, prune, down: at is where the verb stands (container rm, rm). */
static void container_losses(struct sbx_judge *j, const struct sbx_use *use, uint32_t at)
{
    static const char *const removes[] = {"rm", "rmi", "kill", "remove"};
    bool computed = false;
    if ((sbx_operand_is(use, 0, "system") && sbx_operand_is(use, 1, "reset")) ||
        sbx_operand_is(use, at, "prune") || sbx_operand_is(use, at + 1, "prune"))
        find_bulk(j, "containers, images or volumes dropped in bulk");
    for (uint32_t i = at + 1; i < use->operands; i++)
        computed |= sbx_value_has(use->operand[i], SBX_MASK_UNKNOWN);
    if (SBX_OPERAND_IN(use, at, removes) && computed)
        find_bulk(j, "containers, images or volumes dropped in bulk");
    static const char *const whole[] = {"stack", "service", "swarm", "secret", "config", "context"};
    static const char *const leaves[] = {"rm", "remove", "leave"};
    if (SBX_OPERAND_IN(use, 0, whole) && SBX_OPERAND_IN(use, 1, leaves))
        find_bulk(j, "a service dropped");
    bool compose = sbx_operand_is(use, 0, "compose") || strstr(use->name, "-compose") != NULL;
    for (uint32_t i = use->first; compose && has_word(use, "rm") && i < use->words; i++) {
        const char *word = use->word[i]->text;
        if (!strcmp(word, "--volumes") || (word[0] == '-' && word[1] != '-' && strchr(word, 'v')))
            find_bulk(j, "volumes dropped");
    }
    if (SBX_OPERAND_IN(use, at, removes) && sbx_operand_is(use, 0, "volume"))
        find_bulk(j, "a volume dropped");
    if ((sbx_operand_is(use, 0, "down") || sbx_operand_is(use, 1, "down")) &&
        (has_word(use, "-v") || has_word(use, "--volumes") || has_word(use, "--rmi")))
        find_bulk(j, "volumes dropped");
}

static void machine_losses(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const tools[] = {"vagrant", "virsh",      "multipass", "minikube",
                                        "kind",    "k3d",        "lxc",       "incus",
                                        "limactl", "VBoxManage", "colima",    "vboxmanage"};
    static const char *const verbs[] = {"destroy",      "undefine",   "delete",
                                        "unregistervm", "vol-delete", "pool-destroy"};
    for (size_t i = 0; i < sizeof(tools) / sizeof(*tools); i++)
        if (!strcmp(use->name, tools[i]) &&
            (SBX_OPERAND_IN(use, 0, verbs) || SBX_OPERAND_IN(use, 1, verbs)) &&
            (!sbx_operand_is(use, 0, "unregistervm") || holds_word(use, "--delete")))
            find_bulk(j, "a machine dropped");
}

static void container_exec(struct sbx_judge *j, const struct sbx_use *use)
{
    for (uint32_t i = use->first; i + 1 < use->words; i++) {
        bool user = sbx_value_is(use->word[i], "-u") || sbx_value_is(use->word[i], "--user");
        if (user && (sbx_value_is(use->word[i + 1], "0") || sbx_value_is(use->word[i + 1], "root")))
            sbx_find(j, SBX_ASK, SBX_CLASS_PRIV_ESC, "root in a container",
                     "work there as the container's user");
    }
}

/* lxc exec C sh, podman unshare, skopeo copy … docker://HOST: what one of these tools does. */
static void container_tools(struct sbx_judge *j, const struct sbx_use *use, uint32_t at)
{
    const char *last = use->word[use->words - 1]->text, *slash = strrchr(last, '/');
    const char *base = slash ? slash + 1 : last;
    const struct sbx_command_row *row = sbx_command_find(base, strlen(base));
    bool shell = sbx_operand_is(use, at, "exec") && row && (row->flags & SBX_CMD_SHELL);
    if (shell && (!strcmp(use->name, "lxc") || !strcmp(use->name, "incus")))
        sbx_find(j, SBX_DENY, SBX_CLASS_NESTED_SHELL, "a shell in a machine container",
                 "name the command to run there");
    else if (shell && !strcmp(use->name, "crictl"))
        sbx_find(j, SBX_ASK, SBX_CLASS_NESTED_SHELL, "a shell in a cluster",
                 "run single commands there");
    if (has_word(use, "nsenter") || sbx_operand_is(use, 0, "unshare") ||
        (sbx_operand_is(use, 0, "mount") && !strcmp(use->name, "buildah")))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a namespace",
                 "mounts and namespaces belong to the operator");
    bool copies = !strcmp(use->name, "skopeo") && use->operands > 2 &&
                  !strncmp(last, "docker://", 9) && !strstr(last, "//localhost");
    if (copies || sbx_operand_is(use, at, "push"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "an image published", "publishing needs approval");
}

void sbx_check_container(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const things[] = {"container", "image",   "volume", "network",
                                         "system",    "builder", "buildx", "compose"};
    const struct sbx_opt *host = sbx_use_letter(use, 'H');
    if (sbx_use_is_question(use) || !use->operands)
        return;
    const struct sbx_opt *url = sbx_use_option(use, "--url");
    if ((host && host->value && strstr(host->value->text, "unix:")) ||
        (url && url->value && strstr(url->value->text, "unix:")))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket",
                 "there is no such socket here");
    container_words(j, use);
    container_image(j, use);
    container_inner(j, use);
    uint32_t at = SBX_OPERAND_IN(use, 0, things) ? 1 : 0;
    if (sbx_operand_is(use, at, "exec"))
        container_exec(j, use);
    container_tools(j, use, at);
    if (holds_word(use, "security.privileged=true") || holds_word(use, "raw.lxc") ||
        (holds_word(use, "security.privileged") && has_word(use, "true")))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a container with rights of the machine",
                 "containers get no rights of the machine");
    container_losses(j, use, at);
    machine_losses(j, use);
    for (uint32_t i = at + 1; sbx_operand_is(use, at, "build") && i < use->operands; i++)
        if (sbx_is_remote_source(use->operand[i]->text))
            sbx_find_source(j);
    static const char *const shows[] = {"env", "printenv"};
    for (uint32_t i = at + 2; sbx_operand_is(use, at, "exec") && i < use->operands; i++)
        if (SBX_OPERAND_IN(use, i, shows) && i + 1 == use->operands)
            sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "the environment of a container",
                     "secrets of services stay with them");
    for (uint32_t i = at + 1; sbx_operand_is(use, at, "cp") && i < use->operands; i++)
        if (strchr("/.", use->operand[i]->text[0]))
            (void)sbx_check_path(j, use->operand[i],
                                 i + 1 < use->operands ? SBX_ACCESS_READ_TREE : SBX_ACCESS_WRITE);
    if (sbx_operand_is(use, at, "inspect") && holds_word(use, ".Env"))
        sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "the environment of a container",
                 "secrets of services stay with them");
    if (!strcmp(use->name, "vagrant") &&
        (sbx_operand_is(use, 0, "up") || sbx_operand_is(use, 0, "provision")))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "configuration that may run code",
                 "read the Vagrantfile first, and ask");
    if (!strcmp(use->name, "virsh") &&
        (sbx_operand_is(use, 0, "create") || sbx_operand_is(use, 0, "define")))
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "configuration that may run code",
                 "machines belong to the operator; ask");
}
