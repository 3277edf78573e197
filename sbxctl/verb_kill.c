#include "sbxctl/operate.h"
#include "sbxctl/sbxctl.h"

/* Ends each jail named; goes on with the others where one cannot be ended. */
int sbx_verb_kill(int argc, char **argv)
{
    const char *root = NULL;
    const struct sbx_option options[] = {
        {"--root", SBX_OPT_TEXT, &root},
        {0  }
    };
    int first;
    if (sbx_options_read(argc, argv, options, true, &first))
        return SBX_EXIT_USAGE;
    if (first == argc)
        return sbx_usage("kill: name the jail to end; sbxctl jails lists them");
    for (int i = first; i < argc; i++)
        if (!sbx_jail_id_valid(argv[i]) && !sbx_jail_name_retired(argv[i]))
            return sbx_usage("kill: '%s' is no jail's name (UID, UID-N, or either with ~PID)",
                             argv[i]);
    struct sbx_paths paths;
    if (sbx_operate_paths(root, &paths))
        return SBX_EXIT_USAGE;
    int status = SBX_EXIT_OK;
    for (int i = first; i < argc; i++) {
        struct sbx_err err = SBX_ERR_INIT;
        if (!sbx_jails_kill(&paths, argv[i], &err))
            continue;
        status = status == SBX_EXIT_USAGE ? status : SBX_EXIT_FOUND;
        if (err.code == SBX_E_GONE) {
            (void)fprintf(stderr, "sbxctl: jail %s is not there\n", argv[i]);
        } else {
            (void)fprintf(stderr, "sbxctl: jail %s: %s\n", argv[i], err.message);
            status = SBX_EXIT_USAGE;
        }
    }
    return status;
}
