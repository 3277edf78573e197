#include "pam_sbx/args.h"

#include <stddef.h>
#include <string.h>

static int add(const char **list, size_t max, const char *word, struct sbx_err *err)
{
    size_t n = 0;
    while (list[n])
        n++;
    if (n == max)
        return sbx_fail(err, SBX_E_USAGE, 0, "PAM line: more than %zu times '%s'", max, word);
    list[n] = word;
    return 0;
}

static const char *value_of(const char *word, const char *key)
{
    size_t len = strlen(key);
    return strncmp(word, key, len) ? NULL : word + len;
}

static int take_join(struct sbx_pam_args *args, const char *value, struct sbx_err *err)
{
    if (!strcmp(value, "child"))
        args->join = SBX_JOIN_CHILD;
    else if (!strcmp(value, "session"))
        args->join = SBX_JOIN_SESSION;
    else
        return sbx_fail(err, SBX_E_USAGE, 0, "PAM line: join=%s (child or session)", value);
    return 0;
}

static int take_word(struct sbx_pam_args *args, const char *word, struct sbx_err *err)
{
    const char *value;
    if ((value = value_of(word, "root="))) {
        args->has_root = true;
        if (value[0] != '/')
            return sbx_fail(err, SBX_E_USAGE, 0, "PAM line: %s is not an absolute path", word);
        args->root = value;
        return 0;
    }
    if ((value = value_of(word, "join=")))
        return take_join(args, value, err);
    if ((value = value_of(word, "service=")) && value[0])
        return add(args->service, SBX_PAM_SERVICES, value, err);
    if (((value = value_of(word, "set:")) || (value = value_of(word, "--set="))) && value[0])
        return add(args->setting, SBX_PAM_SETTINGS, value, err);
    return sbx_fail(err, SBX_E_USAGE, 0,
                    "PAM line: '%s' (known: root=, service=, set:section.key=value, join=)", word);
}

int sbx_pam_args_parse(struct sbx_pam_args *args, int argc, const char **argv, struct sbx_err *err)
{
    int result = 0;
    *args = (struct sbx_pam_args){.root = NULL};
    for (int i = 0; i < argc; i++)
        if (take_word(args, argv[i], result ? NULL : err)) /* the first one is told */
            result = -1;
    return result;
}
