/* The jail as a unit of systemd: sbx-jail@JAIL.service, started over D-Bus.
 *
 * So the warden and the jail live in a group that systemd delegates to them, outside the login's
 * scope, and limits, listing and ending by systemctl work as for any service. */
#include "warden/warden.h"

#if SBX_HAVE_SYSTEMD

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#define START_TIMEOUT_US ((uint64_t)25 * 1000 * 1000)
#define UNIT_FILE_A      "/usr/lib/systemd/system/sbx-jail@.service"
#define UNIT_FILE_B      "/etc/systemd/system/sbx-jail@.service"

bool sbx_unit_is_usable(const struct sbx_paths *paths)
{
    return !paths->root[0] && !strcmp(paths->programs, SBX_LIBEXECDIR) && sd_booted() > 0 &&
           (!access(UNIT_FILE_A, F_OK) || !access(UNIT_FILE_B, F_OK));
}

struct wait {
    char job[256];
    bool is_over, is_done;
};

static int on_job_removed(sd_bus_message *message, void *data, sd_bus_error *error)
{
    struct wait *wait = data;
    uint32_t id;
    const char *path, *unit, *result;
    (void)error;
    if (sd_bus_message_read(message, "uoss", &id, &path, &unit, &result) < 0)
        return 0;
    if (!strcmp(path, wait->job)) {
        wait->is_over = true;
        wait->is_done = !strcmp(result, "done");
    }
    return 0;
}

#define SYSTEMD_NAME "org.freedesktop.systemd1"
#define SYSTEMD_PATH "/org/freedesktop/systemd1"
#define MANAGER      "org.freedesktop.systemd1.Manager"

static int start_job(sd_bus *bus, const char *jail, struct wait *wait, struct sbx_err *err)
{
    char unit[96];
    const char *path;
    sd_bus_message *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    (void)snprintf(unit, sizeof(unit), "sbx-jail@%s.service", jail);
    int r = sd_bus_call_method(bus, SYSTEMD_NAME, SYSTEMD_PATH, MANAGER, "StartUnit", &error,
                               &reply, "ss", unit, "replace");
    if (r >= 0)
        r = sd_bus_message_read(reply, "o", &path);
    if (r >= 0)
        (void)snprintf(wait->job, sizeof(wait->job), "%s", path);
    else
        (void)sbx_fail(err, SBX_E_SYSTEM, 0, "systemd does not start %s: %s", unit,
                       error.message ? error.message : strerrordesc_np(-r));
    sd_bus_error_free(&error);
    sd_bus_message_unref(reply);
    return r < 0 ? -1 : 0;
}

static int await_job(sd_bus *bus, struct wait *wait, const char *jail, struct sbx_err *err)
{
    int64_t deadline = sbx_now_ms() + (int64_t)(START_TIMEOUT_US / 1000);
    while (!wait->is_over) {
        int r = sd_bus_process(bus, NULL);
        int64_t left = deadline - sbx_now_ms();
        if (r < 0 || left <= 0)
            return sbx_fail(err, SBX_E_SYSTEM, r < 0 ? -r : ETIMEDOUT,
                            "systemd did not get sbx-jail@%s.service ready", jail);
        if (r == 0)
            (void)sd_bus_wait(bus, (uint64_t)left * 1000);
    }
    return wait->is_done
               ? 0
               : sbx_fail(err, SBX_E_SYSTEM, 0,
                          "sbx-jail@%s.service failed; see: journalctl -u sbx-jail@%s", jail, jail);
}

int sbx_unit_start(const char *jail, struct sbx_err *err)
{
    sd_bus *bus = NULL;
    struct wait wait = {.is_over = false};
    int r = sd_bus_open_system(&bus);
    if (r >= 0)
        r = sd_bus_match_signal(bus, NULL, SYSTEMD_NAME, SYSTEMD_PATH, MANAGER, "JobRemoved",
                                on_job_removed, &wait);
    if (r >= 0) /* without a subscriber systemd sends no signals */
        r = sd_bus_call_method(bus, SYSTEMD_NAME, SYSTEMD_PATH, MANAGER, "Subscribe", NULL, NULL,
                               "");
    int status = r < 0 ? sbx_fail(err, SBX_E_SYSTEM, -r, "cannot talk to systemd over D-Bus")
                       : start_job(bus, jail, &wait, err);
    if (!status)
        status = await_job(bus, &wait, jail, err);
    sd_bus_flush_close_unref(bus);
    return status;
}

void sbx_unit_ready(void)
{
    (void)sd_notify(0, "READY=1");
}

#else

bool sbx_unit_is_usable(const struct sbx_paths *paths)
{
    (void)paths;
    return false;
}

int sbx_unit_start(const char *jail, struct sbx_err *err)
{
    return sbx_fail(err, SBX_E_UNSUPPORTED, 0, "built without systemd: cannot start the unit of %s",
                    jail);
}

void sbx_unit_ready(void)
{
}

#endif
