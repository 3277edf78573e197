/* Files of build tools and task runners, given on standard input or written in this input: the command
 * lines in them. What lies in the project already is not read: the jail judges what it does. */
#include "policy/classify.h"
#include "policy/place.h"
#include "policy/table.h"

#include <ctype.h>
#include <string.h>

enum kind { KIND_LINES, KIND_PROCESSES, KIND_PROGRAM, KIND_STRINGS, KIND_CMAKE, KIND_XML };

static const struct {
    const char *tools, *options; /* " a b " */
    const char *file;            /* read without an option, as the end of its path */
    enum kind kind;
} runners[] = {
    {" ninja samu ",                    " -f ",                                "/build.ninja",    KIND_LINES    },
    {" just ",                          " -f --justfile ",                     "/justfile",       KIND_LINES    },
    {" task go-task ",                  " -t --taskfile ",                     "/Taskfile.yml",   KIND_LINES    },
    {" tox ",                           " -c --conf ",                         "/tox.ini",        KIND_LINES    },
    {" foreman honcho overmind ",       " -f --procfile ",                     "/Procfile",       KIND_PROCESSES},
    {" scons ",                         " -f --file --makefile --sconstruct ", "/SConstruct",     KIND_PROGRAM  },
    {" gradle gradlew ",                " -b --build-file -I --init-script ",  "/build.gradle",   KIND_PROGRAM  },
    {" gulp ",                          " -f --gulpfile ",                     "/gulpfile.js",    KIND_PROGRAM  },
    {" grunt ",                         " --gruntfile ",                       "/Gruntfile.js",   KIND_PROGRAM  },
    {" jake ",                          " -f --jakefile ",                     "/Jakefile",       KIND_PROGRAM  },
    {" rake ",                          " -f --rakefile ",                     "/Rakefile",       KIND_PROGRAM  },
    {" nox ",                           " -f --noxfile ",                      "/noxfile.py",     KIND_PROGRAM  },
    {" invoke inv fab ",                " -c --collection ",                   "/tasks.py",       KIND_PROGRAM  },
    {" snakemake ",                     " -s --snakefile ",                    "/Snakefile",      KIND_PROGRAM  },
    {" premake5 xmake ",                " -F --file ",                         "/xmake.lua",      KIND_PROGRAM  },
    {" ant mvn mvnw ",                  " -f -buildfile --file ",              "/build.xml",      KIND_XML      },
    {" cmake cmake3 ctest ",            " -P -S ",                             "/CMakeLists.txt", KIND_CMAKE    },
    {" npm pnpm yarn bun npm-run-all ", "",                                    "/package.json",   KIND_STRINGS  },
};

static bool is_one(const char *list, const char *word, size_t len)
{
    for (const char *at = list; len && (at = strstr(at, word)) != NULL; at++)
        if (at > list && at[-1] == ' ' && !strncmp(at, word, len) && at[len] == ' ')
            return true;
    return false;
}

/* As the shell gets it: $in, ${x} and {{x}} are words that nobody knows, $$ is $. */
static struct sbx_value *plain(struct sbx_judge *j, const char *text, size_t len)
{
    struct sbx_text out = {.arena = &j->arena};
    for (size_t i = 0; i < len; i++) {
        const char *end = NULL;
        if (i + 1 < len && text[i] == '{' && text[i + 1] == '{')
            end = memmem(text + i, len - i, "}}", 2);
        if (end) {
            sbx_text_put(&out, "_", 1, SBX_MASK_LITERAL);
            i = (size_t)(end - text) + 1;
        } else if (text[i] == '$' && i + 1 < len && text[i + 1] == '$') {
            sbx_text_put(&out, "$", 1, SBX_MASK_LITERAL);
            i++;
        } else {
            sbx_text_put(&out, text + i, 1, SBX_MASK_LITERAL);
        }
    }
    return sbx_text_value(&out, j->span);
}

static void judge_line(struct sbx_judge *j, const char *text, size_t len)
{
    while (len && strchr("@+ \t", *text)) {
        text++;
        len--;
    }
    bool quoted = len > 1 && strchr("\"'", *text) && text[len - 1] == *text;
    struct sbx_value *code = len > 1 ? plain(j, text + quoted, len - 2 * quoted) : NULL;
    struct sbx_flow out = {0};
    if (code && code->len)
        sbx_judge_code(j, code, NULL, &out);
}

/* "command = x", "cmd: x", "- x": what follows the key; NULL: there is none of these. */
static const char *behind_key(const char *line, size_t len)
{
    static const char *const keys[] = {"command", "commands", "cmd", "cmds", "sh", "run", "shell"};
    const char *at = line, *end = line + len;
    bool item = false;
    for (; end - at > 1 && at[0] == '-' && at[1] == ' '; item = true)
        for (at += 2; at < end && *at == ' ';)
            at++;
    size_t word = 0;
    while (at + word < end && isalpha((unsigned char)at[word]))
        word++;
    const char *sign = at + word;
    while (sign < end && *sign == ' ')
        sign++;
    for (size_t i = 0;
         sign < end && (*sign == ':' || *sign == '=') && i < sizeof(keys) / sizeof(*keys); i++)
        if (strlen(keys[i]) == word && !memcmp(keys[i], at, word))
            return sign + 1;
    return item ? at : NULL;
}

static void judge_lines(struct sbx_judge *j, const struct sbx_value *text, enum kind kind)
{
    for (size_t at = 0; at < text->len;) {
        const char *line = text->text + at;
        size_t len = strcspn(line, "\n"), indent = strspn(line, " \t");
        at += len + 1;
        if (indent >= len || line[indent] == '#')
            continue;
        const char *code = behind_key(line + indent, len - indent);
        const char *tick = memchr(line, '`', len), *colon = memchr(line, ':', len);
        const char *tock = tick ? memchr(tick + 1, '`', len - (size_t)(tick + 1 - line)) : NULL;
        if (!code && indent)
            code = line + indent;
        if (!code && kind == KIND_PROCESSES && colon)
            code = colon + 1;
        if (code)
            judge_line(j, code, len - (size_t)(code - line));
        else if (tock) /* x := `cmd` */
            judge_line(j, tick + 1, (size_t)(tock - tick) - 1);
    }
}

/* "test": "rm -rf ~": each string that is a command line. */
static void judge_strings(struct sbx_judge *j, const struct sbx_value *text)
{
    for (const char *at = text->text; (at = strchr(at, '"')) != NULL;) {
        size_t len = strcspn(at + 1, "\"");
        if (memchr(at + 1, ' ', len))
            judge_line(j, at + 1, len);
        at += len + 1 + (at[len + 1] != 0);
    }
}

/* execute_process(COMMAND rm -rf x), file(REMOVE_RECURSE x): up to the bracket. */
static void judge_cmake(struct sbx_judge *j, const struct sbx_value *text)
{
    static const char *const calls[] = {"COMMAND ", "REMOVE_RECURSE "};
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
        for (const char *at = text->text; (at = strstr(at, calls[i])) != NULL;) {
            struct sbx_text code = {.arena = &j->arena};
            at += strlen(calls[i]);
            if (i)
                sbx_text_put(&code, "rm -rf ", 7, SBX_MASK_LITERAL);
            sbx_text_put(&code, at, strcspn(at, ")\n"), SBX_MASK_LITERAL);
            struct sbx_value *value = sbx_text_value(&code, j->span);
            if (value)
                judge_line(j, value->text, value->len);
        }
}

/* The attribute of that name behind `at`, within its element. */
static void put_attribute(struct sbx_text *out, const char *at, const char *name)
{
    size_t len = strcspn(at, ">");
    const char *hit = memmem(at, len, name, strlen(name));
    if (hit)
        sbx_text_put(out, hit + strlen(name), strcspn(hit + strlen(name), "\"'"), SBX_MASK_LITERAL);
}

/* <delete dir="x"/>, <exec executable="rm"><arg line="-rf x"/></exec> */
static void judge_xml(struct sbx_judge *j, const struct sbx_value *text)
{
    for (const char *at = text->text; (at = strchr(at, '<')) != NULL; at++) {
        struct sbx_text code = {.arena = &j->arena};
        if (!strncmp(at, "<delete ", 8)) {
            sbx_text_put(&code, "rm -rf ", 7, SBX_MASK_LITERAL);
            put_attribute(&code, at, "dir=\"");
            put_attribute(&code, at, "file=\"");
        } else if (!strncmp(at, "<exec ", 6)) {
            const char *end = strstr(at, "</exec>");
            put_attribute(&code, at, "executable=\"");
            for (const char *arg = at; end && (arg = strstr(arg, "<arg ")) && arg < end; arg++) {
                sbx_text_put(&code, " ", 1, SBX_MASK_LITERAL);
                put_attribute(&code, arg, "line=\"");
                put_attribute(&code, arg, "value=\"");
            }
        }
        struct sbx_value *value = code.len ? sbx_text_value(&code, j->span) : NULL;
        if (value)
            judge_line(j, value->text, value->len);
    }
}

/* mvn exec:exec -Dexec.executable=rm -Dexec.args='-rf x' */
static void judge_properties(struct sbx_judge *j, const struct sbx_use *use)
{
    struct sbx_text code = {.arena = &j->arena};
    for (uint32_t i = use->first; i < use->words; i++)
        if (!strncmp(use->word[i]->text, "-Dexec.executable=", 18))
            sbx_text_put(&code, use->word[i]->text + 18, use->word[i]->len - 18, SBX_MASK_LITERAL);
    for (uint32_t i = use->first; code.len && i < use->words; i++)
        if (!strncmp(use->word[i]->text, "-Dexec.args=", 12)) {
            sbx_text_put(&code, " ", 1, SBX_MASK_LITERAL);
            sbx_text_put(&code, use->word[i]->text + 12, use->word[i]->len - 12, SBX_MASK_LITERAL);
        }
    struct sbx_value *value = code.len ? sbx_text_value(&code, j->span) : NULL;
    if (value)
        judge_line(j, value->text, value->len);
}

static void judge_file(struct sbx_judge *j, const struct sbx_use *use, enum kind kind,
                       const struct sbx_value *text)
{
    if (kind == KIND_PROGRAM)
        sbx_classify_program(j, use->name, text, NULL);
    else if (kind == KIND_STRINGS)
        judge_strings(j, text);
    else if (kind == KIND_CMAKE)
        judge_cmake(j, text);
    else if (kind == KIND_XML)
        judge_xml(j, text);
    else
        judge_lines(j, text, kind);
}

static void find_fetched(struct sbx_judge *j)
{
    sbx_find(j, SBX_DENY, SBX_CLASS_REMOTE_CODE, "code from the network",
             "save it to a file, read it, and run the file in a later command");
}

bool sbx_is_stdin(const struct sbx_value *file)
{
    return sbx_value_is(file, "-") || sbx_value_is(file, "/dev/stdin") ||
           sbx_value_is(file, "/dev/fd/0") || sbx_value_is(file, "/proc/self/fd/0");
}

static void judge_named(struct sbx_judge *j, const struct sbx_use *use, enum kind kind,
                        const struct sbx_value *file)
{
    char path[SBX_PATH_BYTES];
    bool standard = sbx_is_stdin(file);
    struct sbx_made *made =
        !standard && sbx_path_of(j, file, path, sizeof(path)) ? sbx_made_find(j, path) : NULL;
    const struct sbx_value *text = standard && use->in ? use->in->text : made ? made->text : NULL;
    uint32_t taint = standard && use->in ? use->in->taint : made ? made->taint : 0;
    if (taint & SBX_TAINT_NET)
        find_fetched(j);
    else if (text)
        judge_file(j, use, kind, text);
    else if (standard && use->in && use->in->is_set)
        sbx_find(j, SBX_ASK, SBX_CLASS_SHELL_EVASION, "a build file that nobody sees",
                 "put it into the project under its own name and run the tool there");
}

/* The value of one of the options: -f FILE, -fFILE, --file=FILE. */
static const struct sbx_value *file_of(struct sbx_judge *j, const struct sbx_use *use,
                                       const char *options, uint32_t at)
{
    const struct sbx_value *word = use->word[at];
    const char *equals = memchr(word->text, '=', word->len);
    if (is_one(options, word->text, word->len))
        return at + 1 < use->words ? use->word[at + 1] : NULL;
    char name[3] = {word->text[0], word->len > 1 ? word->text[1] : 0, 0};
    if (word->len > 2 && name[0] == '-' && name[1] != '-' && is_one(options, name, 2))
        return sbx_value_tail(j, word, 2);
    char key[32] = "";
    size_t len = equals ? (size_t)(equals - word->text) : 0;
    if (!len || len >= sizeof(key))
        return NULL;
    memcpy(key, word->text, len);
    return is_one(options, key, len) ? sbx_value_tail(j, word, (uint32_t)len + 1) : NULL;
}

void sbx_classify_recipe(struct sbx_judge *j, const struct sbx_use *use)
{
    size_t at = 0, count = sizeof(runners) / sizeof(*runners);
    size_t first = strcspn(use->name, " ");
    char name[32] = "";
    if (first >= sizeof(name) || sbx_use_is_question(use))
        return;
    memcpy(name, use->name, first);
    while (at < count && !is_one(runners[at].tools, name, first))
        at++;
    if (at == count)
        return;
    if (runners[at].kind == KIND_XML)
        judge_properties(j, use);
    for (uint32_t i = use->first; i < use->words; i++) {
        const struct sbx_value *file = file_of(j, use, runners[at].options, i);
        if (file)
            judge_named(j, use, runners[at].kind, file);
    }
    for (const struct sbx_made *made = j->made; made; made = made->next) {
        size_t len = strlen(made->path), end = strlen(runners[at].file);
        if (made->text && len > end && !strcasecmp(made->path + len - end, runners[at].file))
            judge_file(j, use, runners[at].kind, made->text);
    }
}
