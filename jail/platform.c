#include "jail/platform.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "jail/cgroup_tree.h"
#include "policy/cleanup.h"

/* The inodes of the namespaces that a kernel starts with: include/linux/proc_ns.h. */
#define FIRST_PID_NS  4026531836ull
#define FIRST_USER_NS 4026531837ull

static const char *const markers[] = {"/run/systemd/container", "/run/.containerenv",
                                      "/.dockerenv"};

/* "Linux version 4.4.0-19041-Microsoft (…": the third word. */
static void release_of(const char *version, char *out, size_t size)
{
    for (int words = 2; words && *version; words--) {
        version += strcspn(version, " ");
        version += strspn(version, " ");
    }
    (void)snprintf(out, size, "%.*s", (int)strcspn(version, " \n"), version);
}

enum sbx_platform sbx_platform_of(const struct sbx_platform_facts *facts)
{
    char release[128];
    release_of(facts->version, release, sizeof(release));
    if (strstr(release, "-Microsoft"))
        return SBX_PLATFORM_WSL1;
    bool is_wsl = facts->has_interop || strcasestr(release, "microsoft") || strstr(release, "WSL2");
    /* A distribution of WSL 2 has a pid namespace of its own, and only a container in it a marker. */
    if (is_wsl)
        return facts->marker ? SBX_PLATFORM_CONTAINER : SBX_PLATFORM_WSL2;
    if (facts->is_contained || (facts->marker && (facts->is_apart || facts->is_told)))
        return SBX_PLATFORM_CONTAINER;
    return SBX_PLATFORM_LINUX;
}

/* "pid:[4026531836]": the number; 0 where it cannot be read. */
static unsigned long long namespace_of(const char *link)
{
    char text[64];
    ssize_t len = readlink(link, text, sizeof(text) - 1);
    if (len <= 0)
        return 0;
    text[len] = '\0';
    const char *bracket = strchr(text, '[');
    return bracket ? strtoull(bracket + 1, NULL, 10) : 0;
}

static bool is_other(const char *link, unsigned long long first)
{
    unsigned long long number = namespace_of(link);
    return number && number != first;
}

/* The first marker there is below root, in `place`. */
static const char *find_marker(const char *root, char *place, size_t size)
{
    for (size_t i = 0; i < sizeof(markers) / sizeof(*markers); i++) {
        int len = snprintf(place, size, "%s%s", root, markers[i]);
        if (len > 0 && (size_t)len < size && !access(place, F_OK))
            return place;
    }
    return NULL;
}

static void read_version(const char *root, char *out, size_t size)
{
    char path[PATH_MAX];
    struct utsname name;
    (void)snprintf(path, sizeof(path), "%s/proc/version", root);
    if ((*root && !sbx_cgroup_read(AT_FDCWD, path, out, size)) ||
        !sbx_cgroup_read(AT_FDCWD, "/proc/version", out, size))
        return;
    (void)snprintf(out, size, "Linux version %s", uname(&name) ? "unknown" : name.release);
}

enum sbx_platform sbx_platform_find(const char *root, char *detail, size_t size)
{
    struct sbx_platform_facts facts = {.is_told = *root};
    char place[PATH_MAX], release[128];
    unsigned long long mounts = namespace_of("/proc/self/ns/mnt"),
                       first = namespace_of("/proc/1/ns/mnt");
    read_version(root, facts.version, sizeof(facts.version));
    facts.has_interop = !access("/proc/sys/fs/binfmt_misc/WSLInterop", F_OK);
    facts.is_contained = is_other("/proc/self/ns/pid", FIRST_PID_NS) ||
                         is_other("/proc/self/ns/user", FIRST_USER_NS);
    facts.is_apart = mounts && first && mounts != first;
    facts.marker = find_marker(root, place, sizeof(place));
    release_of(facts.version, release, sizeof(release));
    enum sbx_platform platform = sbx_platform_of(&facts);
    if (platform == SBX_PLATFORM_CONTAINER)
        (void)snprintf(detail, size, "%.120s",
                       facts.marker ? facts.marker : "namespaces that are not the machine's first");
    else
        (void)snprintf(detail, size, "%.120s", release);
    return platform;
}
