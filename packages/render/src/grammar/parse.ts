import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { defined } from "@cm/object-model";
import type { ActiveBlock, Block, MessageBlock, PoolBlock, ReferenceBlock } from "./block.ts";
import { unescapeText } from "./escape.ts";
import { fieldPattern, parseField } from "./field.ts";
import { segmentsOf } from "./foreign-text.ts";
import { parsePoolLine } from "./pool-lines.ts";
import { readNotice } from "./read-notice.ts";
import { parseReleased } from "./released-lines.ts";
import { parseResumed, resumedHeader } from "./resumed-lines.ts";
import { textlessNamed, textlessPattern } from "./textless.ts";

const activeHeader = new RegExp(`^ACTIVE_CONTENT id=${fieldPattern}(?: \\[(${textlessPattern})\\])?$`);
const referenceLine = new RegExp(`^toolcall_ref id=${fieldPattern} tool=${fieldPattern} status=(ok|fail)$`);

/**
 * Gives back the blocks that were rendered, for any content (SSOT 4.1, T1): text of files, tools and
 * users can neither add a block nor end or rename one. A `plain` prompt has no blocks of ours; its messages are
 * taken verbatim.
 */
export function parse(prompt: RenderedPrompt): readonly Block[] {
  const parser = prompt.layout.startsWith("plain/")
    ? verbatimBlocks
    : prompt.layout.startsWith("log/")
      ? logBlocks
      : ssotBlocks;
  return [{ kind: "system", text: prompt.system } as Block].concat(prompt.messages.flatMap(parser));
}

function verbatimBlocks(message: PromptMessage): readonly MessageBlock[] {
  if (message.role === "assistant") return [{ kind: "assistant", text: message.text, calls: message.calls ?? [] }];
  if (message.role === "tool") return [{ kind: "result", callId: message.callId ?? "", text: message.text }];
  return [{ kind: "user", text: message.text }];
}

/**
 * Lines of ours stand in results, and where a window cut them in words that were said: only the message's id says so,
 * since those are never escaped while they are whole.
 */
function logBlocks(message: PromptMessage): readonly MessageBlock[] {
  if (message.role !== "tool" && !message.id.includes("~spans@")) return verbatimBlocks(message);
  const { callId } = message;
  return segmentsOf(message.text).flatMap(({ line, text }): readonly MessageBlock[] => {
    if (line === undefined) return verbatimBlocks({ ...message, text: text ?? "" });
    const notice = readNotice(line);
    if (notice === undefined) return [];
    return [{ kind: "notice", ...defined({ callId }), notice, ...defined({ text }) }];
  });
}

function ssotBlocks(message: PromptMessage): readonly Block[] {
  if (message.role === "assistant") return verbatimBlocks(message);
  const end = message.text.indexOf("\n");
  const header = end < 0 ? message.text : message.text.slice(0, end);
  const rest = end < 0 ? undefined : message.text.slice(end + 1);
  if (message.role === "tool") {
    const callId = message.callId ?? "";
    // Nothing foreign stands in a result of this layout, so a line of ours at its start is ours.
    const notice = rest === undefined || !header.startsWith("[cm: ") ? undefined : readNotice(header);
    if (notice === undefined) return [parseReference(callId, message.text) ?? foreign(message)];
    const reference = parseReference(callId, rest ?? "");
    return [{ kind: "notice", callId, notice }, ...(reference === undefined ? [] : [reference])];
  }
  const active = parseActive(header, rest);
  if (active !== undefined) return [active];
  if (header === resumedHeader) return [parseResumed(rest ?? "")];
  const released = parseReleased(header, rest ?? "");
  if (released !== undefined) return [released];
  return parsePoolLine(header) === undefined ? [foreign(message)] : parsePool(message.text);
}

function foreign(message: PromptMessage): MessageBlock {
  const text = unescapeText(message.text);
  return message.role === "tool" ? { kind: "result", callId: message.callId ?? "", text } : { kind: "user", text };
}

function parsePool(text: string): readonly PoolBlock[] {
  return text.split("\n").flatMap((line) => parsePoolLine(line) ?? []);
}

function parseActive(header: string, rest: string | undefined): ActiveBlock | undefined {
  const [, id, state] = activeHeader.exec(header) ?? [];
  if (id === undefined) return undefined;
  const known = textlessNamed(state);
  return {
    kind: "active",
    id: parseField(id),
    ...defined({ state: known }),
    text: rest === undefined ? null : unescapeText(rest),
  };
}

function parseReference(callId: string, line: string): ReferenceBlock | undefined {
  const [, id, tool = "", status] = referenceLine.exec(line) ?? [];
  if (id === undefined) return undefined;
  return {
    kind: "reference",
    callId,
    id: parseField(id),
    tool: parseField(tool),
    status: status === "fail" ? "fail" : "ok",
  };
}
