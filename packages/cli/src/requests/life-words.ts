import { reasonText } from "@cm/render";
import type { LifeRun, LifeText, RequestPlace } from "@cm/session/past";
import { countText, stepText } from "./request-words.ts";

interface TextPlace {
  readonly session: string;
  /** The newest request in which a text stood. */
  readonly newest: number;
}

/** A text of an object for people: its name, and a line for each way in which it stood. */
export function textLines(text: LifeText, { session, newest }: TextPlace): readonly string[] {
  const spans = text.runs.map(({ from, to }) => spanText(from, to, { session, newest }));
  const widest = Math.max(...spans.map((span) => span.length));
  // The length of a text that is gone is lost with it.
  const isKnown = !text.runs.some(({ standing }) => standing === "erased" || standing === "missing");
  return [
    isKnown ? `${textName(text)}, ${countText(text.chars)} characters` : textName(text),
    ...text.runs.map((run, place) => `  ${(spans[place] ?? "").padEnd(widest)}  ${standingText(text, run)}`),
  ];
}

function textName({ kind, call, lines }: LifeText): string {
  if (kind === "active set") return "Its text";
  if (kind === "brought back") return "Brought back";
  const name = `${kind === "output" ? "Output" : "Arguments"} of ${call?.alias || call?.id} (${call?.tool})`;
  if (lines === undefined) return name;
  return `${name}, ${lines.end === undefined ? `from line ${lines.start}` : `lines ${lines.start} to ${lines.end}`}`;
}

function spanText(from: RequestPlace, to: RequestPlace, { session, newest }: TextPlace): string {
  const first = stepText(from.step, session);
  if (to.n === newest) return `from step ${first} on`;
  return from.n === to.n ? `step ${first}` : `steps ${first} to ${stepText(to.step, session)}`;
}

function standingText({ kind, runs }: LifeText, run: LifeRun): string {
  const { standing, reason } = run;
  switch (standing) {
    case "in full":
      return kind === "brought back" && run === runs[0]
        ? `in full: ${reasonText(reason ?? "agent asked for it")}`
        : "in full";
    case "reference":
      return kind === "arguments"
        ? `each long text cut to its beginning: ${reasonText(reason)}`
        : `folded to a line: ${reasonText(reason)}`;
    case "shortened":
      return reason === undefined
        ? "in part: the rest stood elsewhere in the context, or was cut to fit"
        : `in part: ${reasonText(reason)}`;
    case "left out":
      return `left out as a whole: ${reasonText(reason ?? "window: ")}`;
    case "erased":
      return "erased since, so that nobody knows any more how it stood";
    case "missing":
      return "not in the store any more: run cm verify";
  }
}
