/* sbxctl policy trust: files of users and projects whose extensions count, by what they say now. */
#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/cleanup.h"
#include "policy/config_file.h"
#include "policy/path.h"
#include "sbxctl/json.h"
#include "sbxctl/policy_words.h"
#include "sbxctl/sbxctl.h"
#include "warden/lower.h"

static int print_line(void *data, const char *hash, const char *path)
{
    struct json_object *array = data;
    if (array) {
        struct json_object *object = json_object_new_object();
        json_object_object_add(object, "sha256", json_object_new_string(hash));
        json_object_object_add(object, "path", sbx_json_text(path));
        json_object_array_add(array, object);
        return 0;
    }
    (void)printf("%s  ", hash);
    sbx_print_text(stdout, path, strlen(path));
    (void)putchar('\n');
    return 0;
}

static int list(const struct sbx_paths *paths, bool is_json)
{
    _cleanup_fd_ int fd = sbx_trust_open(paths, O_RDONLY);
    if (fd < 0 && errno != ENOENT)
        return sbx_usage("cannot read the list of accepted files: %s", strerror(errno));
    struct json_object *array = is_json ? json_object_new_array() : NULL;
    (void)sbx_trust_each(fd, print_line, array);
    if (array)
        (void)puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_PLAIN));
    json_object_put(array);
    return SBX_EXIT_OK;
}

/* The name that a login will look for: absolute, without "." and "..". */
static int absolute(const char *file, char *path, size_t size)
{
    char cwd[4096];
    if (!getcwd(cwd, sizeof(cwd)) || sbx_path_normalise(cwd, file, path, size))
        return sbx_usage("policy trust: '%s' cannot be made an absolute path", file);
    static const char *const places[] = {"/.config/sbx/policy.ini", "/.sbx/policy.ini",
                                         "/.sbx/policy.local.ini"};
    bool is_place = false;
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        size_t len = strlen(path), tail = strlen(places[i]);
        is_place = is_place || (len > tail && !strcmp(path + len - tail, places[i]));
    }
    if (!is_place)
        return sbx_usage(
            "policy trust: give HOME/.config/sbx/policy.ini, WORKSPACE/.sbx/policy.ini or "
            "WORKSPACE/.sbx/policy.local.ini");
    return 0;
}

static int accept_file(int dir_fd, const char *path, struct sbx_err *err)
{
    _cleanup_fd_ int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    _cleanup_free_ char *bytes = NULL;
    size_t len = 0;
    bool changed = false;
    if (fd < 0)
        return sbx_fail(err, SBX_E_SYSTEM, errno, "cannot open %s", path);
    if (sbx_config_slurp(fd, path, &bytes, &len, err) ||
        sbx_trust_set(dir_fd, path, bytes, len, &changed, err))
        return -1;
    sbx_print_text(stdout, path, strlen(path));
    (void)puts(changed ? ": accepted as it is now; [scopes] extend holds for it until it changes"
                       : ": was accepted already");
    return 0;
}

static int remove_file(int dir_fd, const char *path, struct sbx_err *err)
{
    bool changed = false;
    if (sbx_trust_set(dir_fd, path, NULL, 0, &changed, err))
        return -1;
    sbx_print_text(stdout, path, strlen(path));
    (void)puts(changed ? ": no longer accepted" : ": was not accepted");
    return 0;
}

int sbx_policy_trust(const struct sbx_policy_request *request, const char *file)
{
    struct sbx_paths paths;
    struct sbx_err err = SBX_ERR_INIT;
    char path[4096];
    if (request->removes && !file)
        return sbx_usage("policy trust --remove: which file?");
    if (file && absolute(file, path, sizeof(path)))
        return SBX_EXIT_USAGE;
    if (sbx_paths_init(&paths, request->root, NULL, &err))
        return sbx_complain(&err);
    if (!file)
        return list(&paths, request->is_json);
    _cleanup_fd_ int dir_fd = sbx_paths_open(&paths, SBX_LIB_DIR, 0700, &err);
    if (dir_fd < 0 ||
        (request->removes ? remove_file(dir_fd, path, &err) : accept_file(dir_fd, path, &err)))
        return sbx_complain(&err);
    return SBX_EXIT_OK;
}
