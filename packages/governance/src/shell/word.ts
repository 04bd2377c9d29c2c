/** One word of a shell's text, quotes taken off. */
export interface Word {
  readonly text: string;
  /** What stands here is what the shell will use: no expansion, no pattern. */
  readonly isLiteral: boolean;
  /** Nothing of it is quoted: only such a word can be reserved, or a number before a redirection. */
  readonly isBare: boolean;
  /** The variable, where the word would be an assignment in front of a command. */
  readonly assigned?: string;
}

/**
 * Variables by which a name runs another program, or a program runs a text. Setting one makes a text that is held
 * against rules unreadable.
 */
const steering =
  /^(?:PATH|IFS|ENV|CDPATH|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|VISUAL|(?:LD|DYLD|BASH|GIT|ZDOT|LESS)\w*|\w*(?:PAGER|EDITOR|BROWSER|COMMAND|OPTIONS|OPT|PRELOAD|STARTUP))$/;

export const isSteering = (variable: string): boolean => steering.test(variable);
