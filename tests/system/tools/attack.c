#include "tests/system/tools/attack.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int refused(const char *what)
{
    (void)fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

int outcome(long result, const char *what)
{
    return result < 0 ? refused(what) : 0;
}

static const struct trick *find(const char *name)
{
    const struct trick *const tables[] = {kernel_tricks, file_tricks, process_tricks,
                                          socket_tricks};
    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
        for (const struct trick *trick = tables[i]; trick->name; trick++)
            if (!strcmp(trick->name, name))
                return trick;
    return NULL;
}

int main(int argc, char **argv)
{
    const struct trick *trick = argc > 1 ? find(argv[1]) : NULL;
    if (!trick || argc - 2 != trick->arguments) {
        (void)fprintf(stderr, "attack: no such trick, or not with these arguments\n");
        return 2;
    }
    return trick->run(argv + 2);
}
