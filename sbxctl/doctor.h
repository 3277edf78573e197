/* `sbxctl doctor`: one file for each thing it looks at. Everything is only read. */
#ifndef SBX_SBXCTL_DOCTOR_H
#define SBX_SBXCTL_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "sbxctl/confined.h"
#include "sbxctl/operate.h"
#include "sbxctl/unjailed.h"

struct json_object;

enum sbx_level { SBX_LEVEL_OK = 0, SBX_LEVEL_WARNING, SBX_LEVEL_UNAVAILABLE };

struct sbx_doctor {
    struct sbx_paths paths;
    const struct sbx_confined *confined; /* NULL where policy cannot be read */
    bool is_system;                      /* no --root: what is installed is looked at too */
    const char *account;                 /* the only one that is looked at; NULL: all */
    char remedy[1200];                   /* of the finding that is being said */
    struct sbx_look look;                /* of sbx_doctor_kernel() */
    struct json_object *json;            /* array of findings; NULL: printed as they come */
    unsigned count[3];                   /* by level */
};

/* One finding: what is so, why it matters, what to do. `why` and `remedy` are NULL where all is
 * well. The text may quote files; it is escaped where it is printed. */
void sbx_doctor_say(struct sbx_doctor *doctor, enum sbx_level level, const char *area,
                    const char *why, const char *remedy, const char *what, ...) SBX_PRINTF(6, 7);

/* Makes the remedy of the next finding, best a command that can be run as it stands. The text is the
 * doctor's, until the next one. */
const char *sbx_doctor_remedy(struct sbx_doctor *doctor, const char *format, ...) SBX_PRINTF(2, 3);

/* Is that one of those asked about? */
bool sbx_doctor_wants(const struct sbx_doctor *doctor, const struct sbx_confined_account *account);

/* Reads a small file into out as a string, without its last newline; false where it cannot. */
bool sbx_doctor_read(const char *path, char *out, size_t size);

void sbx_doctor_kernel(struct sbx_doctor *doctor);
void sbx_doctor_pam(struct sbx_doctor *doctor);
void sbx_doctor_sshd(struct sbx_doctor *doctor);
void sbx_doctor_files(struct sbx_doctor *doctor);
void sbx_doctor_accounts(struct sbx_doctor *doctor);

/* The groups that are as good as root, or read what is not theirs; why, or NULL. */
const char *sbx_group_danger(const char *group);

#endif
