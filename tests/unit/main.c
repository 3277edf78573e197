/* The runner of the unit tests. UNIT=name runs one suite; CK_FORK=no helps a debugger. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

#define DECLARE(name) Suite *name##_suite(void);
SUITES(DECLARE)

#define ENTRY(name) {#name, name##_suite},
static const struct {
    const char *name;
    Suite *(*make)(void);
} suites[] = {SUITES(ENTRY)};

int main(void)
{
    const char *only = getenv("UNIT");
    /* Ends what hangs; a busy machine is no fault. */
    (void)setenv("CK_DEFAULT_TIMEOUT", "120", 0);
    SRunner *runner = NULL;
    for (size_t i = 0; i < sizeof(suites) / sizeof(*suites); i++) {
        if (only && strcmp(only, suites[i].name))
            continue;
        if (runner)
            srunner_add_suite(runner, suites[i].make());
        else
            runner = srunner_create(suites[i].make());
    }
    if (!runner) {
        (void)fprintf(stderr, "unit: no suite '%s'\n", only ? only : "");
        return 2;
    }
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner), run = srunner_ntests_run(runner);
    srunner_free(runner);
    (void)printf("unit: %d passed, %d failed\n", run - failed, failed);
    return failed ? 1 : 0;
}
