/* Which services' PAM stacks lead into the jail. The files are root's; they are only read. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "policy/cleanup.h"
#include "sbxctl/doctor.h"

#define LINES_MAX 512
#define DEPTH_MAX 8

enum pam_type { PAM_AUTH = 0, PAM_ACCOUNT, PAM_SESSION, PAM_TYPES };
static const char *const type_names[PAM_TYPES] = {"auth", "account", "session"};

struct stack { /* one service, its includes put in place */
    struct {
        enum pam_type type;
        char module[64], arguments[160];
        char file[160]; /* where it is written: a service's own file, or one that it includes */
        unsigned number;
    } line[LINES_MAX];
    size_t count;
    bool is_cut; /* too long, too deep, or a file could not be read */
};

static FILE *open_service(const char *name, char *path, size_t size)
{
    static const char *const folders[] = {"/etc/pam.d", "/usr/lib/pam.d", "/usr/etc/pam.d"};
    FILE *file = NULL;
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders) && !file; i++) {
        (void)snprintf(path, size, name[0] == '/' ? "%s%s" : "%s/%s",
                       name[0] == '/' ? "" : folders[i], name);
        file = fopen(path, "re");
    }
    return file;
}

/* Takes the next word off *at; a control in brackets is one word. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t");
    char *end = *word == '[' ? strchr(word, ']') : NULL;
    end = end ? end + 1 : word + strcspn(word, " \t");
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

struct place { /* in a file of PAM's */
    char file[320];
    unsigned number;
};

static void read_stack(struct stack *stack, const char *name, int only, int depth);

static void add_line(struct stack *stack, const struct place *place, enum pam_type type,
                     const char *module, const char *arguments)
{
    if (stack->count == LINES_MAX) {
        stack->is_cut = true;
        return;
    }
    const char *slash = strrchr(module, '/');
    stack->line[stack->count].type = type;
    (void)snprintf(stack->line[stack->count].module, sizeof(stack->line[0].module), "%.63s",
                   slash ? slash + 1 : module);
    (void)snprintf(stack->line[stack->count].arguments, sizeof(stack->line[0].arguments), "%.159s",
                   arguments);
    (void)snprintf(stack->line[stack->count].file, sizeof(stack->line[0].file), "%.159s",
                   place->file);
    stack->line[stack->count].number = place->number;
    stack->count++;
}

static void take_line(struct stack *stack, char *text, const struct place *place, int only,
                      int depth)
{
    text[strcspn(text, "#\n")] = '\0';
    char *at = text, *word = next_word(&at);
    if (!strcmp(word, "@include")) {
        read_stack(stack, next_word(&at), only, depth + 1);
        return;
    }
    if (*word == '-')
        word++;
    for (int type = 0; type < PAM_TYPES; type++) {
        if (strcasecmp(word, type_names[type]) != 0 || (only >= 0 && only != type))
            continue;
        const char *control = next_word(&at);
        const char *module = next_word(&at);
        if (!strcmp(control, "include") || !strcmp(control, "substack"))
            read_stack(stack, module, type, depth + 1);
        else if (*module)
            add_line(stack, place, (enum pam_type)type, module, at);
        return;
    }
}

/* only: the one type to take, or -1 for all (as with @include). */
static void read_stack(struct stack *stack, const char *name, int only, int depth)
{
    struct place place = {.number = 0};
    _cleanup_file_ FILE *file =
        depth > DEPTH_MAX ? NULL : open_service(name, place.file, sizeof(place.file));
    char text[1024];
    unsigned lines = 0;
    if (!file) {
        stack->is_cut = true;
        return;
    }
    while (fgets(text, sizeof(text), file)) {
        size_t len = strlen(text);
        place.number = ++lines;
        while (len >= 2 && !strcmp(text + len - 2, "\\\n")) { /* goes on in the next line */
            text[len - 2] = ' ';
            text[len - 1] = '\0';
            if (!fgets(text + len - 1, (int)(sizeof(text) - (len - 1)), file))
                break;
            len = strlen(text);
            lines++;
        }
        take_line(stack, text, &place, only, depth);
    }
}

/* Index of the last line of this type with this module, -1 where there is none. */
static int find(const struct stack *stack, enum pam_type type, const char *module)
{
    for (size_t i = stack->count; i > 0; i--)
        if (stack->line[i - 1].type == type && !strcmp(stack->line[i - 1].module, module))
            return (int)(i - 1);
    return -1;
}

static bool is_like_sshd(const char *service)
{
    return strstr(service, "sshd") != NULL;
}

/* What must not come after pam_sbx in a session stack of su, sudo or cron: it would run inside. */
static const struct {
    const char *module, *why;
} late_modules[] = {
    {"pam_systemd.so",   "it may move the session to a control group outside the jail's"            },
    {"pam_elogind.so",   "it may move the session to a control group outside the jail's"            },
    {"pam_limits.so",    "it may raise the limits that the jail has set"                            },
    {"pam_exec.so",      "its program would run as root in the jail, where the account writes files"},
    {"pam_script.so",    "its program would run as root in the jail, where the account writes files"},
    {"pam_mount.so",     "it would mount from within the jail's view"                               },
    {"pam_mkhomedir.so", "it would write as root where the account can"                             },
    {"pam_namespace.so", "it would change the jail's mounts"                                        },
    {"pam_loginuid.so",  "the login uid has to be set before the jail is entered"                   },
};

static void check_order(struct sbx_doctor *doctor, const char *service, const struct stack *stack)
{
    int ours = find(stack, PAM_SESSION, "pam_sbx.so");
    for (size_t i = 0; i < sizeof(late_modules) / sizeof(*late_modules); i++) {
        int late = find(stack, PAM_SESSION, late_modules[i].module);
        if (late <= ours)
            continue;
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "pam", late_modules[i].why,
                       sbx_doctor_remedy(doctor, "move line %u of %s before line %u of %s",
                                         stack->line[late].number, stack->line[late].file,
                                         stack->line[ours].number, stack->line[ours].file),
                       "service %s: %s comes after pam_sbx.so", service, late_modules[i].module);
    }
}

static void check_lines(struct sbx_doctor *doctor, const char *service, const struct stack *stack)
{
    if (is_like_sshd(service) && find(stack, PAM_AUTH, "pam_sbx.so") < 0)
        sbx_doctor_say(
            doctor, SBX_LEVEL_WARNING, "pam",
            "sshd's user child enters the jail in setcred, which runs the auth lines: "
            "without one there every login of a confined account ends in a refusal",
            sbx_doctor_remedy(doctor, "echo 'auth optional pam_sbx.so' >>/etc/pam.d/%s", service),
            "service %s: pam_sbx.so has no auth line", service);
    if (find(stack, PAM_ACCOUNT, "pam_sbx.so") < 0)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "pam",
                       "a refusal comes late and without its sentence",
                       sbx_doctor_remedy(doctor,
                                         "echo 'account [success=ok ignore=ignore "
                                         "module_unknown=ignore default=bad] pam_sbx.so' "
                                         ">>/etc/pam.d/%s",
                                         service),
                       "service %s: pam_sbx.so has no account line", service);
    for (size_t i = 0; i < stack->count; i++)
        if (!strcmp(stack->line[i].module, "pam_env.so") &&
            strstr(stack->line[i].arguments, "user_readenv=1"))
            sbx_doctor_say(
                doctor, SBX_LEVEL_WARNING, "pam",
                "the account's own ~/.pam_environment is read by root; sbxsh drops what it "
                "sets, programs started without it do not",
                sbx_doctor_remedy(doctor, "sed -i '%us/ *user_readenv=1//' %s",
                                  stack->line[i].number, stack->line[i].file),
                "service %s: pam_env.so reads the account's file", service);
}

static bool is_served(const struct sbx_doctor *doctor, const char *service)
{
    static const char *const usual[] = {"sshd", "su", "su-l", "sudo", "cron"};
    bool is_usual = false; /* what counts where policy cannot be read */
    for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
        is_usual = is_usual || !strcmp(service, usual[i]);
    return doctor->confined ? sbx_config_serves(doctor->confined->config, service) : is_usual;
}

struct unwired { /* names, for one finding rather than fifty */
    char names[512];
    unsigned count;
};

static void add_name(struct unwired *unwired, const char *name)
{
    size_t used = strlen(unwired->names);
    (void)snprintf(unwired->names + used, sizeof(unwired->names) - used, "%s%s",
                   unwired->count++ ? " " : "", name);
}

static int only_services(const struct dirent *entry)
{
    static const char *const parts[] = {"common-",   "system-auth",      "password-auth",
                                        "postlogin", "fingerprint-auth", "smartcard-auth"};
    const char *name = entry->d_name;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
        if (!strncmp(name, parts[i], strlen(parts[i])))
            return 0; /* included by others, no service by itself */
    return name[0] != '.' && !strchr(name, '~') && !strstr(name, ".dpkg-") && !strstr(name, ".rpm");
}

static void check_service(struct sbx_doctor *doctor, const char *service, struct unwired *served,
                          struct unwired *others)
{
    _cleanup_free_ struct stack *stack = calloc(1, sizeof(*stack));
    if (!stack)
        return;
    read_stack(stack, service, -1, 0);
    if (stack->is_cut)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "pam", "it cannot be told whether it is wired",
                       sbx_doctor_remedy(doctor,
                                         "see that what /etc/pam.d/%s includes is there, and does "
                                         "not include itself",
                                         service),
                       "service %s: its stack cannot be read as a whole", service);
    if (find(stack, PAM_SESSION, "pam_sbx.so") >= 0) {
        sbx_doctor_say(doctor, SBX_LEVEL_OK, "pam", NULL, NULL, "service %s leads into the jail",
                       service);
        if (!is_like_sshd(service)) /* whose child enters later, wherever the line stands */
            check_order(doctor, service, stack);
        check_lines(doctor, service, stack);
    } else {
        add_name(is_served(doctor, service) ? served : others, service);
    }
}

void sbx_doctor_pam(struct sbx_doctor *doctor)
{
    struct dirent **entries = NULL;
    struct unwired served = {.count = 0}, others = {.count = 0};
    int count = scandir("/etc/pam.d", &entries, only_services, alphasort);
    if (count < 0)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "pam", "logins do not come by here",
                       "install PAM and wire it; `sbxctl run` works without", "no /etc/pam.d");
    for (int i = 0; i < count; i++) {
        check_service(doctor, entries[i]->d_name, &served, &others);
        free(entries[i]);
    }
    free(entries);
    if (served.count)
        sbx_doctor_say(
            doctor, SBX_LEVEL_WARNING, "pam",
            "policy lets confined accounts use these, and no jail is entered there: with the "
            "shell sbxsh they are refused, with another shell they are not confined",
            "wire them as docs/operating.md says (on Debian: pam-auth-update --package)",
            "services not wired: %s", served.names);
    if (others.count)
        sbx_doctor_say(
            doctor, SBX_LEVEL_WARNING, "pam",
            "where a confined account can get in by one of these, it is not confined",
            "wire them too: then they refuse confined accounts; or see that none of them "
            "takes such an account",
            "other services not wired: %s", others.names);
}
