/* A prompt as the line editor wants it: escape sequences marked, so that they count no columns. */
#ifndef SBX_LINE_PROMPT_H
#define SBX_LINE_PROMPT_H

#define SBX_PROMPT_BYTES 16384
#define SBX_PROMPT_MARK  '\1' /* before and behind an escape sequence */

struct sbx_prompt {
    char head[SBX_PROMPT_BYTES]; /* lines above the one that is edited, with their newlines */
    char line[SBX_PROMPT_BYTES]; /* marked */
};

/* Control bytes that are no part of an escape sequence become '?'. What does not fit is cut. */
void sbx_prompt_set(struct sbx_prompt *prompt, const char *text);

#endif
