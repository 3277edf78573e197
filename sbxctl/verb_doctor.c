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
                   is_error ? "mend it, then try sbxctl policy check" : "change or move the file",
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

static void check_policy(struct sbx_doctor *doctor, const struct sbx_err *err)
{
    if (err->code)
        sbx_doctor_say(doctor, SBX_LEVEL_UNAVAILABLE, "policy",
                       "confined accounts are refused while policy is invalid",
                       "sbxctl policy check tells of every error", "%s", err->message);
    else if (!doctor->confined->is_enabled)
        sbx_doctor_say(doctor, SBX_LEVEL_WARNING, "policy", "nobody is confined",
                       "set enabled = yes in [sandbox] of /etc/sbx/policy.ini",
                       "policy is valid, and switched off");
    else
        sbx_doctor_say(doctor, SBX_LEVEL_OK, "policy", NULL, NULL, "valid, enabled");
    if (!err->code)
        check_files(doctor);
}

int sbx_verb_doctor(int argc, char **argv)
{
    const char *root = NULL;
    bool json = false;
    const struct sbx_option options[] = {
        {"--root", SBX_OPT_TEXT, &root},
        {"--json",   SBX_OPT_FLAG, &json},
        {0}
    };
    struct sbx_doctor doctor = {0};
    int first;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first < argc)
        return sbx_usage("doctor: takes no operand, '%s' is one", argv[first]);
    if (sbx_operate_paths(root, &doctor.paths))
        return SBX_EXIT_USAGE;
    struct sbx_err err = SBX_ERR_INIT;
    struct sbx_confined confined;
    doctor.json = json ? json_object_new_array() : NULL;
    doctor.is_system = !doctor.paths.root[0];
    doctor.confined = sbx_confined_read(&doctor.paths, &confined, &err) ? NULL : &confined;
    if (geteuid() != 0)
        sbx_doctor_say(&doctor, SBX_LEVEL_WARNING, "doctor",
                       "only root can read all there is to see", "run it as root",
                       "not run as root: incomplete");
    sbx_doctor_kernel(&doctor);
    sbx_doctor_files(&doctor);
    check_policy(&doctor, &err);
    sbx_doctor_pam(&doctor);
    sbx_doctor_sshd(&doctor);
    if (doctor.confined)
        sbx_doctor_accounts(&doctor);
    sbx_confined_free(&confined);
    if (json)
        (void)puts(json_object_to_json_string_ext(doctor.json, JSON_C_TO_STRING_PLAIN));
    json_object_put(doctor.json);
    return doctor.count[SBX_LEVEL_UNAVAILABLE] ? 2 : doctor.count[SBX_LEVEL_WARNING] ? 1 : 0;
}
