import {
  type AssistantEntry,
  type CallEntry,
  type ContextView,
  type LogEntry,
  type PartForm,
  type PromptDecision,
  type PromptMessage,
  type Renderer,
  resultPart,
} from "@cm/context-log";
import { sha256 } from "@cm/object-model";
import { plainLayout } from "@cm/render";
import { placeOf } from "../part-sizes.ts";
import { promptWith } from "../prompt-start.ts";

/** About what a model writes for Pi: 1,500 tokens. */
export const summaryChars = 6_000;
/** Files that each of the two lists may name. */
const filesMax = 200;
const filler = "Here a model would say what was asked, done and decided so far. ";

/**
 * Pi's prompt after a compaction: a summary, then the messages from the first kept one on. Everything up to the newest
 * result that is a reference was compacted, so the cut follows from the forms and a past prompt can be rebuilt.
 */
export const piCompactionLayout: Renderer = {
  contract: "renderer/1",
  layout: "pi-compaction/1",
  residency: "rendered",
  render(view, decision) {
    const cut = cutOf(view, decision);
    const { messages } = plainLayout.render(view, {});
    if (cut === 0) return promptWith(view, "pi-compaction/1", messages);
    const kept = messages.filter((message) => (placeOf(message) ?? 0) >= cut);
    return promptWith(view, "pi-compaction/1", [summaryMessage(view.log.slice(0, cut), cut), ...kept]);
  },
};

/** The first kept entry; 0 before the first compaction. */
export function cutOf(view: ContextView, decision: PromptDecision = {}): number {
  const isGone = (form: PartForm | undefined): boolean => form?.form === "reference";
  const newest = view.log.findLast(
    (entry) =>
      entry.kind === "result" && isGone(decision.forms?.[resultPart(entry.at)] ?? view.forms.get(resultPart(entry.at))),
  );
  return newest === undefined ? 0 : newest.at + 1;
}

function summaryMessage(compacted: readonly LogEntry[], cut: number): PromptMessage {
  const calls = compacted
    .filter((entry): entry is AssistantEntry => entry.kind === "assistant")
    .flatMap((e) => e.calls);
  const text = [
    "What was said before this point was compacted into this summary:",
    filler.repeat(Math.ceil(summaryChars / filler.length)).slice(0, summaryChars),
    listOf(
      "read-files",
      calls.filter(({ tool }) => /^read$/i.test(tool)),
    ),
    listOf(
      "modified-files",
      calls.filter(({ tool }) => /^(?:multi)?edit$|^write$/i.test(tool)),
    ),
  ].join("\n\n");
  return { id: `summary@${cut}~${sha256(text).slice(0, 12)}`, role: "user", text, chars: text.length };
}

/** Paths in order of their first call, as Pi adds them to what the model wrote. */
function listOf(name: string, calls: readonly CallEntry[]): string {
  const paths = new Set(calls.flatMap(({ args }) => pathOf(args) ?? []));
  return `<${name}>\n${[...paths].slice(0, filesMax).join("\n")}\n</${name}>`;
}

function pathOf(args: CallEntry["args"]): string | undefined {
  const path = args.path ?? args.file_path;
  return typeof path === "string" ? path.replaceAll("\n", " ") : undefined;
}
