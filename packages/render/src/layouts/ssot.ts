import {
  type AssistantEntry,
  appendedEntries,
  type ContextView,
  isNote,
  type LogEntry,
  type PartForm,
  type PromptMessage,
  type ReleasedEntry,
  type Renderer,
  type ResumedEntry,
  resultPart,
  type UserEntry,
  type ViewObject,
} from "@cm/context-log";
import { type AttachmentRef, defined, sha256 } from "@cm/object-model";
import {
  type ActiveBlock,
  activeText,
  escapeText,
  noticeLine,
  referenceLine,
  releasedLines,
  resumedText,
} from "@cm/prompt-grammar";
import { assistantInForms, type SaidText, userInForm } from "./log/log-message.ts";
import { aliasOf, fullForm, logPlaces, type OmittedTurns } from "./log/log-places.ts";
import { promptOf } from "./messages/prompt.ts";
import { memoizedMessage, resultMessage, type SpokenEntry, userMessage } from "./messages/verbatim.ts";
import { releasedBlock, resumedBlock } from "./note-blocks.ts";
import { members, poolLinesOf } from "./ssot-pool.ts";

/**
 * SSOT 4.1 to the letter, plus escaping and a budget for the pool: system prompt, metadata pool, chat with references
 * in place of tool output, active content. Ids stand in full, objects in the order in which the session met them.
 */
export const ssotLayout: Renderer = ssotRenderer("ssot/5", "id");

/** The same with the session's short names in place of ids of 64 digits (decision 25). */
export const ssotAliasLayout: Renderer = ssotRenderer("ssot-alias/4", "alias");

interface Naming {
  readonly named: "id" | "alias";
  readonly nameOf: (object: string) => string;
}

function ssotRenderer(layout: string, named: Naming["named"]): Renderer {
  return {
    contract: "renderer/1",
    layout,
    residency: "sets",
    render(view, decision) {
      const nameOf = (object: string): string => (named === "id" ? object : aliasOf(view, object));
      const leaving = new Set(decision.deactivate ?? []);
      const active = new Set([...view.sets.active].filter((id) => !leaving.has(id)));
      const naming = { named, nameOf };
      const log = [...view.log, ...appendedEntries(view, decision)];
      const { omitted } = logPlaces(view);
      const formOf = (part: string): PartForm | undefined => decision.forms?.[part];
      const chat = log
        .filter(inChat)
        .map((entry) =>
          entry.kind === "user" || entry.kind === "assistant"
            ? saidMessage(view, entry, formOf)
            : chatMessage(entry, naming, omitted),
        );
      const pool = poolMessages(view, nameOf, decision.poolChars);
      return promptOf(view, layout, [...pool, ...chat, ...activeMessages(view, active, nameOf)]);
    },
  };
}

function poolMessages(view: ContextView, nameOf: Naming["nameOf"], charsMax?: number): readonly PromptMessage[] {
  const lines = poolLinesOf(view, ({ id }) => nameOf(id), charsMax);
  return lines.length === 0 ? [] : [ourMessage("pool", lines.join("\n"))];
}

function activeMessages(
  view: ContextView,
  active: ReadonlySet<string>,
  nameOf: Naming["nameOf"],
): readonly PromptMessage[] {
  const attachments = attachmentsOf(view.log);
  return members(view, active).map((object) => {
    const message = ourMessage(`active~${object.id}`, activeText(activeBlock(object, nameOf(object.id))));
    const attached = attachments.get(object.id);
    return attached === undefined ? message : { ...message, attachments: attached };
  });
}

/** A stub that shows the newest part the agent saw keeps its state, so that the part is not taken for the whole. */
const activeBlock = ({ textless, text }: ViewObject, id: string): ActiveBlock => ({
  kind: "active",
  id,
  ...defined({ state: textless }),
  text,
});

/** What was brought back stands in the active set instead, and notes without a block of their own stand nowhere. */
const inChat = (entry: LogEntry): entry is ChatEntry =>
  isNote(entry) ? entry.kind === "resumed" || entry.kind === "released" : entry.kind !== "omitted";

type ChatEntry = SpokenEntry | ResumedEntry | ReleasedEntry;

/**
 * What user and model said. Only the decision's own forms count, and not those of requests before it: another layout may
 * have sent those.
 */
export function saidMessage(
  view: ContextView,
  entry: UserEntry | AssistantEntry,
  formOf: (part: string) => PartForm | undefined,
): PromptMessage {
  const formOr = (part: string): PartForm => formOf(part) ?? fullForm;
  if (entry.kind === "assistant") return assistantInForms(view, entry, formOr);
  return userInForm(view, entry, formOr(resultPart(entry.at)), escaped);
}

const escaped: SaidText = {
  whole: (entry) => memoizedMessage(entry, "escaped", () => userMessage(entry, escapeText(entry.text))),
  escaped: escapeText,
  mark: "escaped~",
};

/** SSOT 4.1: "Tool call outputs are replaced with compact references." */
function chatMessage(
  entry: Exclude<ChatEntry, UserEntry | AssistantEntry>,
  { named, nameOf }: Naming,
  omitted: OmittedTurns,
): PromptMessage {
  if (entry.kind === "released" || entry.kind === "resumed") return noteMessage(entry, { named, nameOf });
  const id = nameOf(entry.object);
  const above = omitted.above(entry.at);
  const suffix = [named === "id" ? "ssot" : "ssot-alias", ...(above === undefined ? [] : [above.key])].join("~");
  return memoizedMessage(entry, `${suffix} ${id}`, () => {
    const text = [
      ...(above === undefined ? [] : [noticeLine(above.notice)]),
      referenceLine.write({ id, tool: entry.tool, status: entry.status }),
    ].join("\n");
    return resultMessage(entry, { id: `${entry.at}~${suffix}`, text, folded: true });
  });
}

/** What changed since the agent last looked (SSOT 3.6), or which of its pins a window forced out: told once. */
function noteMessage(entry: ResumedEntry | ReleasedEntry, { named, nameOf }: Naming): PromptMessage {
  return memoizedMessage(entry, `${entry.kind} by ${named}`, () => {
    const text =
      entry.kind === "resumed"
        ? resumedText(resumedBlock(entry, nameOf))
        : releasedLines.write(releasedBlock(entry, nameOf));
    return { id: `${entry.at}~${entry.kind}-${named}`, role: "user", text, chars: text.length };
  });
}

/** These texts change from request to request, so the id carries their hash. */
function ourMessage(name: string, text: string): PromptMessage {
  return { id: `${name}~${sha256(text).slice(0, 16)}`, role: "user", text, chars: text.length };
}

/** An image that a tool gave is shown where its text is shown. */
function attachmentsOf(log: ContextView["log"]): ReadonlyMap<string, readonly AttachmentRef[]> {
  return new Map(
    log.flatMap((entry) =>
      entry.kind === "result" && entry.attachments.length > 0 ? [[entry.object, entry.attachments] as const] : [],
    ),
  );
}
