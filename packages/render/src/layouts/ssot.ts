import {
  type AttachmentRef,
  type ContextView,
  type PromptMessage,
  type ReleasedEntry,
  type Renderer,
  type ResultEntry,
  type ResumedEntry,
  sha256,
  type ViewObject,
} from "@cm/object-model";
import { escapeText } from "../blocks/escape.ts";
import { boundedField } from "../blocks/field.ts";
import { activeBlockOf, poolBlockOf } from "../blocks/from-object.ts";
import { activeText, referenceText } from "../blocks/lines.ts";
import { poolLine } from "../blocks/pool-lines.ts";
import { releasedMessage } from "../log-messages/released.ts";
import { resumedMessage } from "../log-messages/resumed.ts";
import { onceFor } from "../messages/memo.ts";
import { promptOf } from "../messages/prompt.ts";
import { assistantMessage, resultMessage, type SpokenEntry, userMessage } from "../messages/verbatim.ts";

/**
 * SSOT 4.1 to the letter, plus escaping: system prompt, metadata pool, chat with references in place of tool output,
 * active content. Ids stand in full, objects in the order in which the session met them.
 */
export const ssotLayout: Renderer = {
  contract: "renderer/1",
  layout: "ssot/1",
  residency: "sets",
  render(view, decision) {
    const leaving = new Set(decision.deactivate ?? []);
    const active = new Set([...view.sets.active].filter((id) => !leaving.has(id)));
    const chat = view.log.flatMap((entry) => (entry.kind === "recalled" ? [] : [chatMessage(entry)]));
    return promptOf(view, "ssot/1", [...poolMessages(view), ...chat, ...activeMessages(view, active)]);
  },
};

function poolMessages(view: ContextView): readonly PromptMessage[] {
  const lines = members(view, view.sets.pool).map((object) => poolLine(poolBlockOf(object, object.id)));
  return lines.length === 0 ? [] : [ourMessage("pool", lines.join("\n"))];
}

function activeMessages(view: ContextView, active: ReadonlySet<string>): readonly PromptMessage[] {
  const attachments = attachmentsOf(view.log);
  return members(view, active).map((object) => {
    const message = ourMessage(`active~${object.id}`, activeText(activeBlockOf(object, object.id)));
    const attached = attachments.get(object.id);
    return attached === undefined ? message : { ...message, attachments: attached };
  });
}

/** SSOT 4.1: "Tool call outputs are replaced with compact references." */
function chatMessage(entry: SpokenEntry | ResumedEntry | ReleasedEntry): PromptMessage {
  if (entry.kind === "released") return releasedMessage(entry, "id", (object) => object);
  if (entry.kind === "resumed") return resumedMessage(entry, "id", (object) => object);
  if (entry.kind === "assistant") return assistantMessage(entry);
  if (entry.kind === "user") return onceFor(entry, "escaped", () => userMessage(entry, escapeText(entry.text)));
  return onceFor(entry, "ssot", () =>
    resultMessage(entry, { id: `${entry.at}~ssot`, text: ssotReference(entry), folded: true }),
  );
}

function ssotReference(entry: ResultEntry): string {
  return referenceText({
    kind: "reference",
    callId: entry.callId,
    id: boundedField(entry.object),
    tool: boundedField(entry.tool),
    status: entry.status,
  });
}

/** In order of the index: the order of the other sets is that of their history and says nothing. */
function members(view: ContextView, set: ReadonlySet<string>): readonly ViewObject[] {
  return [...view.sets.index].flatMap((id) => (set.has(id) ? (view.objects.get(id) ?? []) : []));
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
