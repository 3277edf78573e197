/* sbx-line: the line editor of interactive sessions. sbx-line(8).
 *
 * Started by sbxsh as the account, inside the sealed jail, with the terminal on descriptors 0 to 2
 * and a socket to sbxsh on the third. It decides nothing: what it hands over is judged as anything
 * that is typed. */
#include <errno.h>
#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <unistd.h>

#include "line/complete.h"
#include "line/history.h"
#include "line/keys.h"
#include "line/prompt.h"
#include "line/proto.h"

#define EXIT_USAGE 2
#define LISTED     200 /* names shown at once */
#define PASTE_ON   "\033[?2004h"
#define PASTE_OFF  "\033[?2004l"

struct editor {
    EditLine *el;
    History *history;
    int history_folder;
    struct sbx_keys keys;
    enum sbx_key_state end; /* why a line ended without a newline */
    bool takes_paste;       /* the terminal brackets pastes at the moment */
    uint32_t serial;
    struct sbx_line_ask ask; /* points into packet */
    struct sbx_prompt prompt;
    char packet[SBX_LINE_MESSAGE_BYTES];
    char answer[SBX_LINE_MESSAGE_BYTES];
};

static struct editor *editor_of(EditLine *el)
{
    void *data = NULL;
    (void)el_get(el, EL_CLIENTDATA, &data);
    return data;
}

static void show(const char *text)
{
    (void)fputs(text, stdout);
    (void)fflush(stdout);
}

static void bracket_pastes(struct editor *editor, bool on)
{
    if (editor->takes_paste != on)
        show(on ? PASTE_ON : PASTE_OFF);
    editor->takes_paste = on;
}

/* --- what libedit calls ------------------------------------------------------------------------- */
static char *give_prompt(EditLine *el)
{
    return editor_of(el)->prompt.line;
}

static void resized(void *data)
{
    struct editor *editor = data;
    el_resize(editor->el);
    (void)el_set(editor->el, EL_REFRESH);
}

static int give_key(EditLine *el, wchar_t *out)
{
    struct editor *editor = editor_of(el);
    bracket_pastes(editor, true); /* now, so that it stands behind the prompt */
    editor->end = sbx_keys_next(&editor->keys, out);
    if (editor->keys.paste_is_cut) {
        editor->keys.paste_is_cut = false;
        show("\nsbxsh: the paste was too large and is dropped; put it into a file\n");
        (void)el_set(el, EL_REFRESH);
    }
    if (editor->end != SBX_KEY_CHAR || *out == L'\n')
        bracket_pastes(editor, false);
    if (editor->end == SBX_KEY_INTERRUPT)
        show("^C");
    return editor->end == SBX_KEY_CHAR ? 1 : 0;
}

static int columns(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col ? 80 : size.ws_col;
}

static void list(const struct sbx_completion *completion)
{
    size_t shown = completion->count < LISTED ? completion->count : LISTED;
    int width = 0;
    for (size_t i = 0; i < shown; i++) {
        int len = (int)strlen(completion->names[i]);
        width = len > width ? len : width;
    }
    int per_row = columns() / (width + 2);
    if (per_row < 1)
        per_row = 1;
    (void)fputc('\n', stdout);
    for (size_t i = 0; i < shown; i++) {
        bool ends_row = (int)(i + 1) % per_row == 0 || i + 1 == shown;
        (void)fprintf(stdout, "%-*s%s", ends_row ? 0 : width + 2, completion->names[i],
                      ends_row ? "\n" : "");
    }
    if (shown < completion->count)
        (void)fprintf(stdout, "… and %zu more\n", completion->count - shown);
    (void)fflush(stdout);
}

static int count_chars(const char *text, size_t len)
{
    int count = 0;
    for (size_t i = 0; i < len; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static unsigned char complete(EditLine *el, int key)
{
    struct editor *editor = editor_of(el);
    const LineInfo *info = el_line(el);
    const char *home = getenv("HOME");
    size_t cursor = (size_t)(info->cursor - info->buffer);
    struct sbx_completion completion;
    (void)key;
    if (strspn(info->buffer, " \t") >= cursor) /* an indent */
        return el_insertstr(el, "\t") ? CC_ERROR : CC_REFRESH;
    const struct sbx_complete_source source = {
        .home = home ? home : "/", .path = editor->ask.path, .words = editor->ask.words};
    int failed = sbx_complete(info->buffer, cursor, &source, &completion);
    unsigned char result = CC_ERROR;
    if (!failed && completion.text) {
        el_deletestr(el, count_chars(info->buffer + completion.begin, cursor - completion.begin));
        result = el_insertstr(el, completion.text) ? CC_ERROR : CC_REFRESH;
    } else if (!failed && completion.count) {
        list(&completion);
        result = CC_REDISPLAY;
    }
    sbx_completion_clear(&completion);
    return result;
}

/* ^W as in bash: back to white space. */
static unsigned char erase_word(EditLine *el, int key)
{
    const LineInfoW *info = el_wline(el);
    const wchar_t *at = info->cursor;
    (void)key;
    while (at > info->buffer && (at[-1] == L' ' || at[-1] == L'\t'))
        at--;
    while (at > info->buffer && at[-1] != L' ' && at[-1] != L'\t')
        at--;
    if (at == info->cursor)
        return CC_ERROR;
    el_deletestr(el, (int)(info->cursor - at));
    return CC_REFRESH;
}

/* --- one line ----------------------------------------------------------------------------------- */
static void remember(struct editor *editor, const char *line)
{
    HistEvent event;
    if (!sbx_history_keeps(line))
        return;
    (void)history(editor->history, &event, H_ENTER, line);
    if (editor->history_folder >= 0)
        sbx_history_add(editor->history_folder, line);
}

static void recall(void *data, const char *line)
{
    HistEvent event;
    struct editor *editor = data;
    (void)history(editor->history, &event, H_ENTER, line);
}

static int answer(struct editor *editor, enum sbx_line_kind kind, const char *text, size_t len)
{
    const struct sbx_line_message message = {
        .kind = kind, .serial = editor->serial, .body = text, .len = len};
    size_t size = sbx_line_pack(editor->answer, sizeof(editor->answer), &message);
    if (!size)
        return answer(editor, SBX_LINE_TOO_LONG, "", 0);
    return send(SBX_LINE_FD, editor->answer, size, MSG_NOSIGNAL) == (ssize_t)size ? 0 : -1;
}

/* A line of a paste is shown as if it had been typed. */
static int answer_pasted(struct editor *editor, const char *line, size_t len)
{
    show(editor->prompt.head);
    for (const char *at = editor->prompt.line; *at; at++)
        if (*at != SBX_PROMPT_MARK)
            (void)fputc(*at, stdout);
    for (size_t i = 0; i < len; i++)
        (void)fputc(((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f ? '?'
                                                                                         : line[i],
                    stdout);
    show("\n");
    char text[SBX_HISTORY_LINE_BYTES + 1];
    if (len < sizeof(text)) {
        memcpy(text, line, len);
        text[len] = '\0';
        remember(editor, text);
    }
    return answer(editor, SBX_LINE_TEXT, line, len);
}

static int edit(struct editor *editor)
{
    size_t len = 0;
    const char *pasted = sbx_keys_pasted_line(&editor->keys, &len);
    sbx_prompt_set(&editor->prompt, editor->ask.prompt);
    if (pasted)
        return answer_pasted(editor, pasted, len);
    int count = 0;
    show(editor->prompt.head);
    sbx_keys_begin(&editor->keys);
    editor->end = SBX_KEY_CHAR;
    const char *line = el_gets(editor->el, &count);
    bracket_pastes(editor, false);
    if (editor->end == SBX_KEY_GONE)
        return answer(editor, SBX_LINE_END, "", 0);
    if (editor->end == SBX_KEY_INTERRUPT || !line || count <= 0) {
        show("\n");
        return answer(editor, editor->end ? SBX_LINE_INTERRUPT : SBX_LINE_END, "", 0);
    }
    if (editor->keys.may_be_cut)
        return answer(editor, SBX_LINE_TOO_LONG, "", 0);
    char *copy = strndup(line, strcspn(line, "\n"));
    if (!copy)
        return answer(editor, SBX_LINE_TOO_LONG, "", 0);
    remember(editor, copy);
    int failed = answer(editor, SBX_LINE_TEXT, copy, strlen(copy));
    free(copy);
    return failed;
}

/* The next ask; a cancel that crossed with an answer has nothing to cancel. */
static int next_ask(struct editor *editor)
{
    for (;;) {
        struct sbx_line_message message;
        ssize_t got = recv(SBX_LINE_FD, editor->packet, sizeof(editor->packet), 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0 || sbx_line_unpack(editor->packet, (size_t)got, &message))
            return -1;
        if (message.kind != SBX_LINE_ASK)
            continue;
        editor->serial = message.serial;
        return sbx_line_unpack_ask(&message, &editor->ask);
    }
}

/* --- start -------------------------------------------------------------------------------------- */
static void interrupted(int sig)
{
    (void)sig; /* it ends a poll, which then asks for the size */
}

/* Keys come as bytes, and the terminal is ours only while sbxsh says so: none of its signals acts. */
static void settle_signals(void)
{
    static const int ignored[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
    struct sigaction action = {.sa_handler = SIG_IGN};
    for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
        (void)sigaction(ignored[i], &action, NULL);
    action.sa_handler = interrupted;
    (void)sigaction(SIGWINCH, &action, NULL);
}

static void bind_keys(EditLine *el)
{
    static const char *const keys[][2] = {
        {"^I",       "sbx-complete"       },
        {"^W",       "sbx-erase-word"     },
        {"^U",       "vi-kill-line-prev"  },
        {"^R",       "em-inc-search-prev" },
        {"\\e[3~",   "ed-delete-next-char"},
        {"\\e[1~",   "ed-move-to-beg"     },
        {"\\e[4~",   "ed-move-to-end"     },
        {"\\e[7~",   "ed-move-to-beg"     },
        {"\\e[8~",   "ed-move-to-end"     },
        {"\\e[1;5C", "em-next-word"       },
        {"\\e[1;5D", "ed-prev-word"       },
        {"\\e[1;3C", "em-next-word"       },
        {"\\e[1;3D", "ed-prev-word"       },
        {"\\e\\177", "ed-delete-prev-word"},
    };
    (void)el_set(el, EL_ADDFN, "sbx-complete", "complete the word", complete);
    (void)el_set(el, EL_ADDFN, "sbx-erase-word", "erase back to white space", erase_word);
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        (void)el_set(el, EL_BIND, keys[i][0], keys[i][1], NULL);
}

static int start(struct editor *editor)
{
    HistEvent event;
    const char *home = getenv("HOME");
    editor->history = history_init();
    editor->el = el_init(SBX_LINE_PROGRAM, stdin, stdout, stderr);
    if (!editor->history || !editor->el)
        return -1;
    (void)history(editor->history, &event, H_SETSIZE, SBX_HISTORY_LINES);
    (void)history(editor->history, &event, H_SETUNIQUE, 1);
    (void)el_set(editor->el, EL_CLIENTDATA, editor);
    (void)el_set(editor->el, EL_EDITOR, "emacs");
    (void)el_set(editor->el, EL_SIGNAL, 0);
    (void)el_set(editor->el, EL_HIST, history, editor->history);
    (void)el_set(editor->el, EL_PROMPT_ESC, give_prompt, SBX_PROMPT_MARK);
    (void)el_set(editor->el, EL_GETCFN, give_key);
    (void)el_set(editor->el, EL_SETTY, "-d", "-isig", NULL);
    bind_keys(editor->el);
    editor->keys = (struct sbx_keys){
        .terminal_fd = STDIN_FILENO, .asker_fd = SBX_LINE_FD, .resized = resized, .data = editor};
    editor->history_folder = home ? sbx_history_open(home) : -1;
    if (editor->history_folder >= 0)
        sbx_history_load(editor->history_folder, recall, editor);
    return 0;
}

int main(void)
{
    int type = 0;
    socklen_t size = sizeof(type);
    if (getsockopt(SBX_LINE_FD, SOL_SOCKET, SO_TYPE, &type, &size) || type != SOCK_SEQPACKET ||
        !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        (void)fputs("sbx-line: sbxsh starts this program; it is of no use by itself\n", stderr);
        return EXIT_USAGE;
    }
    if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        (void)setlocale(LC_CTYPE, "C.UTF-8");
    settle_signals();
    struct editor *editor = calloc(1, sizeof(*editor));
    if (!editor || start(editor))
        return 1;
    while (!next_ask(editor)) {
        if (chdir(editor->ask.cwd) && chdir("/")) /* paths are completed from there */
            break;
        if (edit(editor))
            break;
    }
    return 0;
}
