/** What a text of a model is, where it repeats our own lines instead of saying something. */
export interface RepeatedNotice {
  /** `notice`: nothing but notices. `cut`: it ends where we had left the rest out. */
  readonly as: "notice" | "cut";
  /** What the notice says that brings the text back: `t4.input`. */
  readonly name?: string;
}

// Looser than `wording.ts`: digits may be grouped, and the mark of the Pi extension is meant, too. A test holds the two together.
const noticeLine = /^\s*\\*\[cm: .*\]\s*$/;
const cutMark = /\[cm: [\d,]+ (?:more )?characters? left out[^\]\n]*\]\s*$/;
const shownName = /cm_context show ([^\s\];,]+)/;

/** A longer text is no repetition of ours; it is only looked at its end, in UTF-16 units. */
const noticesCharsMax = 20_000;
const endCharsMax = 400;

/**
 * Whether a text that is to become content is one or more of our notices and nothing else, or ends in our mark of text
 * that was left out. Pure, and without any store.
 */
export function repeatsNotice(text: string): RepeatedNotice | undefined {
  if (text.length <= noticesCharsMax) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length > 0 && lines.every((line) => noticeLine.test(line))) return { as: "notice", ...named(text) };
  }
  const cut = cutMark.exec(text.slice(-endCharsMax));
  return cut === null ? undefined : { as: "cut", ...named(cut[0]) };
}

function named(text: string): Pick<RepeatedNotice, "name"> {
  const name = shownName.exec(text)?.[1];
  return name === undefined ? {} : { name };
}
