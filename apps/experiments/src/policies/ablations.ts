import { type ContextLogIdea, contextLogPolicy, logLayout } from "@cm/render";
import { fixedPolicy, type NamedPolicy } from "./named-policy.ts";

const without = (idea: ContextLogIdea, left: string): NamedPolicy =>
  fixedPolicy({ policy: contextLogPolicy({ without: [idea] }), renderer: logLayout }, sentence(left));

const sentence = (left: string): string => `The context log, preset default, but ${left}.`;

/** The context log with one idea left out each: what the idea is worth is the difference to `default`. */
export const ablations: Readonly<Record<`no-${ContextLogIdea | "floor"}`, NamedPolicy>> = {
  "no-floor": fixedPolicy(
    { policy: contextLogPolicy({ floor: 0 }), renderer: logLayout },
    sentence("no file text is spared from its clock"),
  ),
  "no-turns": without("turns", "a turn that begins shortens no clock"),
  "no-edited-since": without("edited-since", "a read whose file was edited since lives on like any other"),
  "no-sparse": without("sparse", "every line keeps its number"),
  "no-earlier-text": without("earlier-text", "text that was shown before arrives in full again"),
  "no-arguments": without("arguments", "arguments of calls are never folded"),
  "no-replaced": without("replaced", "edits keep the text that they replaced"),
  "no-fault-service": without("fault-service", "what an edit misses is not brought back"),
  "no-plans": without("plans", "with what an edit misses no other file of its plan comes back"),
  "no-names": without("names", "references keep no names"),
  "no-lines": without("lines", "names are kept bare and not in their lines"),
  "no-worth": without("worth", "the floor spares by the clocks alone"),
  "no-rent": without("rent", "it folds at every 11th call and not when rent exceeds the price"),
  "no-best-cut": without("best-cut", "it cuts at the oldest dead part and not where it gains most"),
};
