/* Small hostile programs for tests/system/attacks. Each returns 0 where it got what it wanted, else 1
 * with the reason on stderr. They know no mercy and check nothing: what stops them is under test. */
#ifndef SBX_TEST_ATTACK_H
#define SBX_TEST_ATTACK_H

struct trick {
    const char *name;
    int arguments; /* how many it takes */
    int (*run)(char **arguments);
};

extern const struct trick kernel_tricks[], file_tricks[], process_tricks[], socket_tricks[];

/* 0 for "went through"; says why not otherwise. */
int outcome(long result, const char *what);
int refused(const char *what);

#endif
