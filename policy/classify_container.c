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
        if (tree) {
            const char *source = strstr(value, "src=")      ? strstr(value, "src=") + 4
                                 : strstr(value, "source=") ? strstr(value, "source=") + 7
                                                            : "";
            container_mount(j, source, strcspn(source, ","));
        }
    }
}

/* docker run [OPTION…] IMAGE: an image of a registry that is none of the usual ones. */
static void container_image(struct sbx_judge *j, const struct sbx_use *use)
{
    static const char *const usual[] = {"docker.io/",      "ghcr.io/",           "quay.io/",
                                        "gcr.io/",         "mcr.microsoft.com/", "registry.k8s.io/",
                                        "public.ecr.aws/", "localhost"};
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

void sbx_check_container(struct sbx_judge *j, struct sbx_use *use)
{
    static const char *const losses[] = {"prune", "system", "destroy", "delete-all"};
    static const char *const things[] = {"container", "image",   "volume", "network",
                                         "system",    "builder", "buildx"};
    const struct sbx_opt *host = sbx_use_letter(use, 'H');
    if (sbx_use_is_question(use) || !use->operands)
        return;
    if (host && host->value && strstr(host->value->text, "unix:"))
        sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a control socket",
                 "there is no such socket here");
    container_words(j, use);
    container_image(j, use);
    uint32_t at = SBX_OPERAND_IN(use, 0, things) ? 1 : 0;
    if (sbx_operand_is(use, 0, "system") && sbx_operand_is(use, 1, "reset"))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "all containers, images and volumes dropped",
                 "name what may go");
    if ((sbx_operand_is(use, 0, "exec") || sbx_operand_is(use, 0, "run")) &&
        sbx_operand_is(use, 0, "exec"))
        for (uint32_t i = use->first; i + 1 < use->words; i++)
            if ((sbx_value_is(use->word[i], "-u") || sbx_value_is(use->word[i], "--user")) &&
                (sbx_value_is(use->word[i + 1], "0") || sbx_value_is(use->word[i + 1], "root")))
                sbx_find(j, SBX_ASK, SBX_CLASS_PRIV_ESC, "root in a container",
                         "work there as the container's user");
    for (uint32_t i = use->first; i < use->words; i++)
        if (strstr(use->word[i]->text, "security.privileged=true") ||
            strstr(use->word[i]->text, "raw.lxc"))
            sbx_find(j, SBX_DENY, SBX_CLASS_PRIV_ESC, "a container with rights of the machine",
                     "containers get no rights of the machine");
    if (sbx_operand_is(use, at, "prune") ||
        (sbx_operand_is(use, 0, "system") && sbx_operand_is(use, 1, "prune")))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY,
                 "containers, images or volumes dropped in bulk", "name what may go");
    (void)losses;
    bool removes = sbx_operand_is(use, at, "rm") || sbx_operand_is(use, at, "rmi") ||
                   sbx_operand_is(use, at, "kill") || sbx_operand_is(use, at, "stop") ||
                   sbx_operand_is(use, at, "remove");
    uint32_t named = 0;
    bool computed = false;
    for (uint32_t i = at + 1; removes && i < use->operands; i++) {
        named += use->operand[i]->text[0] != '-';
        computed |= sbx_value_has(use->operand[i], SBX_MASK_UNKNOWN) != 0;
    }
    if (removes && !sbx_operand_is(use, at, "stop") && computed)
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY,
                 "containers, images or volumes dropped in bulk", "name what may go");
    if (removes && sbx_operand_is(use, 0, "volume"))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a volume dropped",
                 "this loses data; ask first");
    (void)named;
    if (sbx_operand_is(use, 0, "down") || sbx_operand_is(use, 1, "down"))
        for (uint32_t i = use->first; i < use->words; i++)
            if (sbx_value_is(use->word[i], "-v") || sbx_value_is(use->word[i], "--volumes") ||
                sbx_value_is(use->word[i], "--rmi"))
                sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "volumes dropped",
                         "this loses data; ask first");
    if (sbx_operand_is(use, 0, "push"))
        sbx_find(j, SBX_ASK, SBX_CLASS_EXFIL, "an image published", "publishing needs approval");
    static const char *const machines[] = {"destroy",      "undefine",   "delete",
                                           "unregistervm", "vol-delete", "pool-destroy"};
    bool vm = !strcmp(use->name, "vagrant") || !strcmp(use->name, "virsh") ||
              !strcmp(use->name, "multipass") || !strcmp(use->name, "minikube") ||
              !strcmp(use->name, "kind") || !strcmp(use->name, "k3d") ||
              !strcmp(use->name, "lxc") || !strcmp(use->name, "incus") ||
              !strncmp(use->name, "limactl", 7) || !strcasecmp(use->name, "vboxmanage") ||
              !strcmp(use->name, "colima");
    if (vm && SBX_OPERAND_IN(use, 0, machines))
        sbx_find(j, SBX_ASK, SBX_CLASS_INFRA_DESTROY, "a machine dropped",
                 "this loses data; ask first");
    if (sbx_operand_is(use, at, "inspect"))
        for (uint32_t i = use->first; i < use->words; i++)
            if (strstr(use->word[i]->text, ".Env") || strstr(use->word[i]->text, "Config.Env"))
                sbx_find(j, SBX_ASK, SBX_CLASS_CRED_READ, "the environment of a container",
                         "secrets of services stay with them");
    /* exec and run: what runs in there. */
    if (sbx_operand_is(use, at, "exec") || sbx_operand_is(use, at, "run")) {
        for (uint32_t i = at + 1; i < use->operands; i++) {
            const struct sbx_command_row *row =
                sbx_command_find(use->operand[i]->text, use->operand[i]->len);
            if (row && (row->flags & SBX_CMD_SHELL) && i + 1 < use->operands &&
                sbx_value_is(use->operand[i + 1], "-c"))
                break; /* the container's own files: the jail does not matter there */
        }
    }
}
