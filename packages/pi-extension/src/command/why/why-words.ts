import { type PartReason, reasonText } from "@cm/render";
import { counted } from "@cm/terminal-text";

const protectedWords = {
  path: "its file is protected (/cm protect lists what is)",
  tool: "outputs of its tool are protected (/cm protect lists what is)",
  prompt: "it came of one of your newest prompts, which are protected (/cm protect lists what is)",
} as const;

/** Why a text that is not folded stands, as the end of a sentence. */
export function reasonWords(reason: Exclude<PartReason, { why: "folded" }>): string {
  switch (reason.why) {
    case "protected":
      return `stands in full: ${protectedWords[reason.by]}.`;
    case "pinned":
      return "stands in full: it is pinned (/cm unpin lets it be folded).";
    case "released":
      return "stands in full: the agent is done with it, so it goes with the next fold.";
    case "newest":
      return "stands in full: it came with the newest calls, which are never folded.";
    case "this turn":
      return "stand in full: arguments are not folded before your next prompt.";
    case "needed":
      return "stands in full: a line in place of another text points to it.";
    case "no gain":
      return "stands in full: it is too short to be worth folding, or cannot be folded (pictures).";
    case "in use":
      return `stands in full: it counts as in use for ${counted(reason.calls, "more call")} of the model.`;
    case "spared":
      return "stands in full: it was long not used, but there is still room for text of files.";
    case "due":
      return "stands in full: it was long not used, and goes when to fold it is cheaper than to send it along.";
    case "shortened":
      return "stands in part: the rest stands elsewhere in the context, or was cut to fit.";
  }
}

/** Why a text was folded, by the reasons that the step recorded, each with the parts that it holds for. */
export function foldReason(reasons: Readonly<Record<string, readonly string[]>>, part: string): string {
  const found = Object.keys(reasons).find((reason) => reasons[reason]?.includes(part));
  return reasonText(found, "you asked for it with /cm fold");
}
