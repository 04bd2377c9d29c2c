import { type ContextPolicy, type Layout, type PartForm, resultPart } from "@cm/context-log";
import { layouts } from "@cm/render";

/** Of several lines the first one stays. */
function foldedForm(text: string | null): PartForm {
  const end = text?.indexOf("\n") ?? -1;
  return { form: "reference", ...(end > 0 ? { lines: [[0, end]] } : {}) };
}

const policy: ContextPolicy = {
  contract: "policy/1",
  name: "folded",
  decide({ log, forms }) {
    const results = log.flatMap((entry) => (entry.kind === "result" ? [entry] : []));
    const open = results.filter(({ at }) => !forms.has(resultPart(at)));
    return { forms: Object.fromEntries(open.map(({ at, text }) => [resultPart(at), foldedForm(text)])) };
  },
};

/** The log with each output folded from its first request on: one that begins as the tool began it was sent without us. */
export const foldedLayout: Layout = { policy, renderer: layouts.log.renderer };
