#include <fcntl.h>
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "policy/cleanup.h"
#include "sbxctl/doctor.h"
#include "sbxctl/json.h"
#include "sbxctl/sbxctl.h"

bool sbx_doctor_read(const char *path, char *out, size_t size)
{
    _cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    ssize_t got = fd < 0 ? -1 : read(fd, out, size - 1);
    if (got < 0)
        return false;
    out[got] = '\0';
    char *end = strchr(out, '\n');
    if (end)
        *end = '\0';
    return true;
}

static void print_line(const char *lead, const char *text)
{
    if (!text)
        return;
    (void)fputs(lead, stdout);
    sbx_print_text(stdout, text, strlen(text));
    (void)putchar('\n');
}

static void add_json(struct json_object *list, const char *const texts[5])
{
    static const char *const keys[] = {"level", "area", "what", "why", "do"};
    struct json_object *row = json_object_new_object();
    for (size_t i = 0; i < 5; i++)
        if (texts[i])
            json_object_object_add(row, keys[i], sbx_json_text(texts[i]));
    json_object_array_add(list, row);
}

void sbx_doctor_say(struct sbx_doctor *doctor, enum sbx_level level, const char *area,
                    const char *why, const char *remedy, const char *what, ...)
{
    static const char *const words[] = {"ok", "warning", "unavailable"};
    char text[1024];
    va_list ap;
    va_start(ap, what);
    (void)vsnprintf(text, sizeof(text), what, ap);
    va_end(ap);
    doctor->count[level]++;
    if (doctor->json) {
        add_json(doctor->json, (const char *const[5]){words[level], area, text, why, remedy});
        return;
    }
    (void)printf("%-11s %-8s ", words[level], area);
    print_line("", text);
    print_line("                     why: ", why);
    print_line("                     do:  ", remedy);
}

const char *sbx_doctor_remedy(struct sbx_doctor *doctor, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    (void)vsnprintf(doctor->remedy, sizeof(doctor->remedy), format, ap);
    va_end(ap);
    return doctor->remedy;
}

/* Errors first met in the file of a group or an account keep out that one alone. */
static void say_of_file(void *data, enum sbx_severity severity, const struct sbx_place *place,
                        const char *message)
{
    struct sbx_doctor *doctor = data;
    char lead[600] = "";
    bool is_error = severity == SBX_SEVERITY_ERROR;
    if (severity == SBX_SEVERITY_NOTE)
        return;
    if (place->line) /* else the message names the file itself */
        sbx_place_lead(place, lead, sizeof(lead));
    sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "policy",
                   is_error ? "whom this file is for is refused while it is invalid"
                            : "what is written there may not be what is in force",
                   is_error ? "mend it there, then sbxctl policy check" : "change or move the file",
                   "%s%s", lead, message);
}

/* Every file, also of those groups and accounts that nobody asked about. */
static void check_files(struct sbx_doctor *doctor)
{
    const struct sbx_reporter reporter = {.say = say_of_file, .data = doctor};
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_config *config = NULL;
    size_t files = 0;
    if (sbx_config_new(&config, &err))
        return;
    (void)!sbx_config_check(config, doctor->paths.root, NULL, &reporter, &files, &err);
    sbx_config_free(config);
}

/* The line that switches policy off, or a file that switches it on where none says anything. */
static const char *remedy_of_off(struct sbx_doctor *doctor)
{
    uint32_t count = 0;
    const struct sbx_policy *policy = doctor->confined->policy;
    const struct sbx_item *items = sbx_policy_list(policy, SBX_KEY_SANDBOX_ENABLED, &count);
    if (count && items[0].origin.line)
        return sbx_doctor_remedy(doctor, "sed -i '%us/=.*/= yes/' %s", items[0].origin.line,
                                 sbx_policy_text(policy, items[0].origin.file));
    return sbx_doctor_remedy(
        doctor, "printf '[sandbox]\\nenabled = yes\\n' >%s" SBX_ETC_DIR "/policy.d/00-enabled.ini",
        doctor->paths.root);
}

static void check_policy(struct sbx_doctor *doctor, const struct sbx_err *err)
{
    if (err->code)
        sbx_doctor_say(
            doctor, SBX_LEVEL_UNAVAILABLE, "policy",
            "confined accounts are refused while policy is invalid, unless on_error = last-good "
            "keeps their last one",
            doctor->is_system ? "sbxctl policy check, which tells of every error"
                              : sbx_doctor_remedy(doctor,
                                                  "sbxctl policy check --root %s, which "
                                                  "tells of every error",
                                                  doctor->paths.root),
            "%s", err->message);
    else if (!doctor->confined->is_enabled)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "policy", "nobody is confined",
                       remedy_of_off(doctor), "policy is valid, and switched off");
    else
        sbx_doctor_say(doctor, SBX_LEVEL_OK, "policy", NULL, NULL, "valid, enabled");
    if (!err->code)
        check_files(doctor);
}

/* --- one account -------------------------------------------------------------------------------- */
bool sbx_doctor_wants(const struct sbx_doctor *doctor, const struct sbx_confined_account *account)
{
    return !doctor->account || !strcmp(doctor->account, account->name);
}

static int is_wanted(void *data, const struct sbx_confined_account *account)
{
    return sbx_doctor_wants(data, account);
}

/* An account that is not confined has nothing that sbx could find wrong. True after saying so. */
static bool is_free(struct sbx_doctor *doctor)
{
    const char *why = !doctor->confined->is_enabled ? "policy is switched off"
                                                    : "policy names neither it nor a group of its";
    if (doctor->confined->is_enabled && sbx_confined_each(doctor->confined, is_wanted, doctor) != 0)
        return false;
    sbx_doctor_say(doctor, SBX_LEVEL_OK, "accounts", NULL, NULL, "%s is not confined: %s",
                   doctor->account, why);
    return true;
}

static void look(struct sbx_doctor *doctor, const struct sbx_err *err)
{
    if (geteuid() != 0)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "doctor",
                       "only root can read all there is to see", "sudo sbxctl doctor",
                       "not run as root: incomplete");
    if (doctor->account && doctor->confined && is_free(doctor))
        return;
    sbx_doctor_kernel(doctor);
    sbx_doctor_files(doctor);
    check_policy(doctor, err);
    sbx_doctor_pam(doctor);
    sbx_doctor_sshd(doctor);
    if (doctor->confined)
        sbx_doctor_accounts(doctor);
}

int sbx_verb_doctor(int argc, char **argv)
{
    const char *root = NULL;
    bool json = false;
    struct sbx_doctor doctor = {0};
    const struct sbx_option options[] = {
        {"--root",         SBX_OPT_TEXT, &root},
        {"--account",           SBX_OPT_TEXT, &doctor.account},
        {"--json",      SBX_OPT_FLAG, &json},
        {0}
    };
    int first;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first < argc)
        return sbx_usage("doctor: takes no operand, '%s' is one", argv[first]);
    if ((doctor.account && !sbx_is_account_word(doctor.account)) ||
        sbx_operate_paths(root, &doctor.paths))
        return SBX_EXIT_USAGE;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_confined confined;
    doctor.json = json ? json_object_new_array() : NULL;
    doctor.is_system = !doctor.paths.root[0];
    doctor.confined = sbx_confined_read(&doctor.paths, &confined, &err) ? NULL : &confined;
    look(&doctor, &err);
    sbx_confined_free(&confined);
    if (json)
        (void)puts(json_object_to_json_string_ext(doctor.json, JSON_C_TO_STRING_PLAIN |
                                                                   JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(doctor.json);
    return doctor.count[SBX_LEVEL_UNAVAILABLE] ? 2 : doctor.count[SBX_LEVEL_WARNING] ? 1 : 0;
}
