#include "sbxctl/sbxctl.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define VERSION "0.1.0"
#define JUDGING                                                                                    \
    "[--account A] [--policy PATH] [--root DIR] [--home DIR] [--workspace DIR]\n"                  \
    "           [--cwd DIR] [--set SECTION.KEY=VALUE]… [--json]"

/* clang-format off */
static const struct sbx_verb verbs[] = {
    {"check", sbx_verb_check, "check " JUDGING "\n"
     "           (-c CMD | -f FILE | --batch [-0] | --tool TOOL OPERAND)",
     "judge a command without running it"},
    {"explain", sbx_verb_explain, "explain " JUDGING " (-c CMD | -f FILE)",
     "judge, and say which part and which rule decided"},
    {"parse", sbx_verb_parse, "parse (-c CMD | -f FILE)", "print the syntax tree as JSON"},
    {"policy", sbx_verb_policy, "policy check [PATH] [--root DIR] [--json]\n"
     "       sbxctl policy (show | lint | test [--cases FILE] | fingerprint) [--policy PATH] [--root DIR]\n"
     "           [--account A] [--home DIR] [--workspace DIR] [--set SECTION.KEY=VALUE]… [--json]\n"
     "       sbxctl policy trust [[--remove] FILE] [--root DIR] [--json]\n"
     "       sbxctl policy diff BEFORE AFTER [--account A] [--home DIR] [--workspace DIR] [--json]",
     "check, show, lint, test and compare policy"},
    {"doctor", sbx_verb_doctor, "doctor [--account A] [--json] [--root DIR]",
     "can this machine hold a jail, and is it wired"},
    {"status", sbx_verb_status, "status [--json] [--root DIR]", "what is confined, what runs"},
    {"jails", sbx_verb_jails, "jails [--json] [--root DIR]", "list the live jails"},
    {"kill", sbx_verb_kill, "kill [--root DIR] JAIL…", "end a jail and everything in it"},
    {"events", sbx_verb_events,
     "events [--jail JAIL] [--account A] [--kind KIND] [--since TIME] [--follow] [--json] [--root DIR]\n"
     "       sbxctl events verify [--root DIR] [FILE…]",
     "show what was recorded; check that nothing was changed or taken away"},
    {"run", sbx_verb_run,
     "run --account A [--policy PATH] [--workspace DIR] [--set SECTION.KEY=VALUE]… [--root DIR]\n"
     "           [--] CMD [ARGUMENT…]",
     "run a program in a jail of its own"},
    {"enroll", sbx_verb_enroll, "enroll [--dry-run] [--root DIR] ACCOUNT",
     "make an account a confined one, step by step"},
    {"unenroll", sbx_verb_unenroll, "unenroll [--dry-run] [--root DIR] ACCOUNT",
     "undo what enroll did"},
};
/* clang-format on */

static void help(FILE *out)
{
    (void)fputs("usage: sbxctl VERB [OPTION…]\n\n", out);
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        (void)fprintf(out, "  %-9s %s\n", verbs[i].name, verbs[i].help);
    (void)fputs("\nsbxctl VERB --help says more; sbxctl --version; man sbxctl\n", out);
}

static const struct sbx_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        if (!strcmp(name, verbs[i].name))
            return &verbs[i];
    return NULL;
}

static int help_of(const struct sbx_verb *verb)
{
    (void)printf("usage: sbxctl %s\n%s\n", verb->usage, verb->help);
    return SBX_EXIT_OK;
}

/* sbxctl VERB --help, and of verbs with a second word sbxctl policy check --help. */
static bool asks_for_help(const struct sbx_verb *verb, int argc, char **argv)
{
    bool has_second = verb->run == sbx_verb_policy || verb->run == sbx_verb_events;
    return (argc > 2 && !strcmp(argv[2], "--help")) ||
           (has_second && argc == 4 && argv[2][0] != '-' && !strcmp(argv[3], "--help"));
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        help(stderr);
        return SBX_EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--version")) {
        (void)puts("sbxctl " VERSION);
        return SBX_EXIT_OK;
    }
    bool is_help = !strcmp(argv[1], "--help") || !strcmp(argv[1], "help");
    if (is_help && argc == 2) {
        help(stdout);
        return SBX_EXIT_OK;
    }
    const char *name = argv[is_help ? 2 : 1];
    const struct sbx_verb *verb = find_verb(name);
    if (!verb)
        return sbx_usage("no verb '%s'; sbxctl --help lists them", name);
    if (is_help || asks_for_help(verb, argc, argv))
        return help_of(verb);
    int status = verb->run(argc - 1, argv + 1);
    /* Output that was lost (a full disk, a closed pipe) is not success. */
    if (fflush(stdout)) {
        perror("sbxctl: cannot write the output");
        return status == SBX_EXIT_OK ? SBX_EXIT_USAGE : status;
    }
    return status;
}
