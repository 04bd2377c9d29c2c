/** The author of a requested fold where no other text is given. */
const personAsked = "a person asked for it";

/** Reasons that steps record of why a text was folded, cut or brought back, in words: the end of a sentence. */
const reasonWords: Readonly<Record<string, string>> = {
  "output was read": "its output had been read and was not used again",
  "file was long not used": "its file had not been used for long",
  "edit was made": "it only reports an edit that was made",
  "edit is long ago": "the edit is long ago",
  "replaced text is gone": "the edit was made, and the text that it replaced is gone",
  "agent let go": "the agent said that it is done with it",
  "window: no room for protected text": "the model's window was full, and nothing else was left to fold",
  "window: pin released": "the model's window was full, and its pin had to go",
  "agent asked for it": "the agent asked for it",
  "edit missed it": "an edit needed it",
  "plan was forgotten": "the agent seemed to have forgotten it",
};

/**
 * Why a text was folded, cut or brought back, in words for people.
 * @param reason as a step recorded it; undefined where it gave none
 * @param asked who asked for it, where a person did
 */
export function reasonText(reason: string | undefined, asked: string = personAsked): string {
  const known = reason === "a person asked" ? asked : wordsOf(reasonWords, reason);
  return (
    known ?? (reason?.startsWith("window: ") === true ? "the model's window was full" : "it was not needed any more")
  );
}

const causeWords: Readonly<Record<string, string>> = {
  rent: "cheaper than to send them along",
  cold: "the provider's cache was cold",
  window: "the model's window was full",
  asked: "text was brought back",
};

/**
 * Why sent text was rewritten with a request, in words for people: empty for an unknown cause.
 * @param cause as the decision recorded it; undefined where only new text was cut, which a window does
 */
export function causeText(cause: string | undefined, asked: string = personAsked): string {
  if (cause === "person") return asked;
  return cause === undefined ? "the model's window was full" : (wordsOf(causeWords, cause) ?? "");
}

/** Policies of others have reasons of their own, under any name. */
const wordsOf = (words: Readonly<Record<string, string>>, name: string | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(words, name) ? words[name] : undefined;
