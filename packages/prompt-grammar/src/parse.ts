import type { PromptMessage, RenderedPrompt } from "@cm/context-log";
import { defined } from "@cm/object-model";
import type { Block, MessageBlock } from "./block.ts";
import { opener, unescapeForeign, unescapeText } from "./escape.ts";
import { parseResumed, resumedHeader } from "./resumed-lines.ts";
import { activeHeader, poolLines, referenceLine, releasedLines } from "./ssot-lines.ts";
import { readNotice } from "./wording.ts";

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
  const blocks = prompt.messages.flatMap((message) => withLineAbove(message, parser));
  return [{ kind: "system", text: prompt.system } as Block].concat(blocks);
}

/** Words of a person that a line of ours stands above: only the message's id says so, since whole words are not escaped. */
function withLineAbove(message: PromptMessage, parser: (message: PromptMessage) => readonly Block[]): readonly Block[] {
  if (message.role !== "user" || !message.id.includes("~earlier@")) return parser(message);
  const end = message.text.indexOf("\n");
  const notice = readNotice(message.text.slice(0, end));
  const said = parser({ ...message, text: message.text.slice(end + 1) });
  return notice === undefined ? said : [{ kind: "notice", notice }, ...said];
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
  if (message.role === "assistant") return logBlocks(message);
  if (message.id.includes("~spans@")) return logBlocks(message).map(unescaped);
  const end = message.text.indexOf("\n");
  const header = end < 0 ? message.text : message.text.slice(0, end);
  const rest = end < 0 ? undefined : message.text.slice(end + 1);
  if (message.role === "tool") {
    const callId = message.callId ?? "";
    // Nothing foreign stands in a result of this layout, so a line of ours at its start is ours.
    const notice = rest === undefined || !header.startsWith("[cm: ") ? undefined : readNotice(header);
    const reference = referenceLine.read(notice === undefined ? message.text : (rest ?? ""));
    const known = reference === undefined ? [] : [{ kind: "reference", callId, ...reference } as const];
    if (notice !== undefined) return [{ kind: "notice", callId, notice }, ...known];
    return known.length === 0 ? [foreign(message)] : known;
  }
  const active = activeHeader.read(header);
  if (active !== undefined)
    return [{ kind: "active", ...active, text: rest === undefined ? null : unescapeText(rest) }];
  if (header === resumedHeader) return [parseResumed(rest ?? "")];
  const released = releasedLines.read(message.text);
  if (released !== undefined) return [{ kind: "released", ...released }];
  if (poolLines.read(header) === undefined) return [foreign(message)];
  return message.text.split("\n").flatMap((line) => poolLines.read(line) ?? []);
}

/** Words between lines of ours are escaped twice: as all words of this layout, and for those lines. */
const unescaped = (block: MessageBlock): MessageBlock =>
  "text" in block && typeof block.text === "string" ? { ...block, text: unescapeText(block.text) } : block;

function foreign(message: PromptMessage): MessageBlock {
  const text = unescapeText(message.text);
  return message.role === "tool" ? { kind: "result", callId: message.callId ?? "", text } : { kind: "user", text };
}

/** A line of ours with the foreign text below it; the first piece of a text that begins otherwise has no line. */
interface Segment {
  readonly line?: string;
  /** Unescaped. Absent where nothing stands between this line and the next one. */
  readonly text?: string;
}

/** A text as our lines and what stands between them. */
function segmentsOf(text: string): readonly Segment[] {
  const segments: { line?: string; lines?: string[] }[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith(opener) && line.endsWith("]")) segments.push({ line });
    else if (segments.length === 0) segments.push({ lines: [line] });
    else {
      const last = segments.at(-1);
      if (last?.lines !== undefined) last.lines.push(line);
      else if (last !== undefined) last.lines = [line];
    }
  }
  return segments.map(({ line, lines }) => ({
    ...defined({ line }),
    ...(lines === undefined ? {} : { text: unescapeForeign(lines.join("\n")) }),
  }));
}
