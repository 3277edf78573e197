/* Places: what a path operand may name, globs and unknown parts included. */
#ifndef SBX_POLICY_PLACE_H
#define SBX_POLICY_PLACE_H

#include "policy/judge_state.h"

struct sbx_place {
    char text[SBX_PATH_BYTES]; /* absolute, normalised */
    char mask[SBX_PATH_BYTES];
    size_t len;
    bool has_glob, has_unknown;
    bool adrift;  /* begins with something unknown: text holds what follows it */
    bool guarded; /* that is certainly not empty */
};

/* Resolves a value against the current directory as the kernel would: ".." , links of existing
 * parts, /proc/self/root and its kin. False where the text is too long for a path. */
bool sbx_place_of(struct sbx_judge *j, const struct sbx_value *value, struct sbx_place *place);

/* What ask rules for Read and Edit say of the place, where ask rules count. */
void sbx_place_ask(struct sbx_judge *j, const struct sbx_place *place, enum sbx_access access);

/* Could the place be, or lie below, this literal or glob path? Then `out` is such a path. */
bool sbx_place_meets(const struct sbx_place *place, const char *rule, char *out, size_t size);

/* The place with an ordinary name in place of each glob and unknown part. */
void sbx_place_sample(const struct sbx_place *place, char *out, size_t size);

/* Credentials that lie anywhere (LABELS zone C): .env, *.pem, ~/.netrc, histories, … */
bool sbx_is_credential(const struct sbx_judge *j, const char *path);
bool sbx_place_is_credential(const struct sbx_judge *j, const struct sbx_place *place);
bool sbx_is_key_name(const char *name); /* id_rsa, *.pem: what somebody hunting keys looks for */

/* A match of the whole text; * stands for any bytes, everything else for itself. */
bool sbx_like(const char *pattern, const char *text);

/* Could not be read or is a start-up file: zone S, zone P, devices. */
bool sbx_place_is_protected(struct sbx_judge *j, const char *path);

/* A start-up file of the home or of the machine: zone P. */
bool sbx_place_is_startup(struct sbx_judge *j, const char *path);

/* Code-running configuration below a work tree; the class of writing there, or none. */
enum sbx_class sbx_code_config(const struct sbx_judge *j, const char *path,
                               enum sbx_verdict_kind *verdict);
/* Why writing to a system path matters most: persistence, log-tamper, host-control, … or path. */
enum sbx_class sbx_system_class(const char *path);

#endif
