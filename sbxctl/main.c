#include "sbxctl/sbxctl.h"

#include <stdio.h>
#include <string.h>

#define VERSION "0.1.0"

/* clang-format off */
static const struct sbx_verb verbs[] = {
    {"check", sbx_verb_check, "check [OPTION…] (-c CMD | -f FILE | --batch | --tool TOOL OPERAND)",
     "judge a command without running it"},
    {"explain", sbx_verb_explain, "explain [OPTION…] (-c CMD | -f FILE)",
     "judge, and say which part and which rule decided"},
    {"parse", sbx_verb_parse, "parse (-c CMD | -f FILE)", "print the syntax tree as JSON"},
    {"policy", sbx_verb_policy, "policy check [PATH] [--root DIR] [--json]\n"
     "       sbxctl policy show [--policy PATH] [--root DIR] [--account A] [--home DIR] [--workspace DIR]\n"
     "           [--set SECTION.KEY=VALUE]… [--json]",
     "check policy files, show what is in force and where it is written"},
    {"doctor", sbx_verb_doctor, "doctor [--json] [--root DIR]",
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
    {"enroll", sbx_verb_enroll, "enroll [--dry-run] ACCOUNT",
     "make an account a confined one, step by step"},
    {"unenroll", sbx_verb_unenroll, "unenroll [--dry-run] ACCOUNT", "undo what enroll did"},
};
/* clang-format on */

static void help(FILE *out)
{
    (void)fputs("usage: sbxctl VERB [OPTION…]\n\n", out);
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++)
        (void)fprintf(out, "  %-9s %s\n", verbs[i].name, verbs[i].help);
    (void)fputs("\nsbxctl VERB --help says more; sbxctl --version; man sbxctl\n", out);
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
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
        help(stdout);
        return SBX_EXIT_OK;
    }
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
        if (strcmp(argv[1], verbs[i].name))
            continue;
        if (argc > 2 && !strcmp(argv[2], "--help")) {
            (void)printf("usage: sbxctl %s\n%s\n", verbs[i].usage, verbs[i].help);
            return SBX_EXIT_OK;
        }
        int status = verbs[i].run(argc - 1, argv + 1);
        /* Output that was lost (a full disk, a closed pipe) is not success. */
        if (fflush(stdout)) {
            perror("sbxctl: cannot write the output");
            return status == SBX_EXIT_OK ? SBX_EXIT_USAGE : status;
        }
        return status;
    }
    return sbx_usage("no verb '%s'; sbxctl --help lists them", argv[1]);
}
