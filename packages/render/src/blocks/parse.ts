import type { PromptMessage, RenderedPrompt } from "@cm/object-model";
import type { ActiveBlock, Block, MessageBlock, PoolBlock, ReferenceBlock } from "./block.ts";
import { parseBody } from "./cut-lines.ts";
import { unescapeText } from "./escape.ts";
import { fieldPattern, parseField } from "./field.ts";
import { keptLineMark } from "./lines.ts";
import { parsePoolLine } from "./pool-lines.ts";
import { parseReleased } from "./released-lines.ts";
import { parseResult } from "./result-lines.ts";
import { parseResumed, resumedHeader } from "./resumed-lines.ts";
import { textlessNamed, textlessPattern } from "./textless.ts";

const stateNames = textlessPattern;
const statePattern = `(?: \\[(${stateNames})\\])?`;
const activeHeader = new RegExp(`^ACTIVE_CONTENT id=${fieldPattern}(?: \\[(${stateNames}|folded)\\])?$`);
const referenceHeader = new RegExp(
  `^toolcall_ref id=${fieldPattern}(?: tool=${fieldPattern})?(?: status=(ok|fail))?` +
    `(?: files=${fieldPattern})?(?: same_as=${fieldPattern})?(?: diff_from=${fieldPattern})?(?: chars=(\\d+))?${statePattern}$`,
);

/**
 * Gives back the blocks that were rendered, for any content (design 7, reliability T1): text of files, tools and
 * users can neither add a block nor end or rename one. A `plain` prompt has no blocks of ours; its messages are
 * taken verbatim.
 */
export function parse(prompt: RenderedPrompt): readonly Block[] {
  const verbatim = prompt.layout.startsWith("plain/");
  const system: Block[] = [{ kind: "system", text: prompt.system }];
  return system.concat(prompt.messages.flatMap((message) => (verbatim ? [asItIs(message)] : parseMessage(message))));
}

function asItIs(message: PromptMessage): Block {
  if (message.role === "assistant") return { kind: "assistant", text: message.text, calls: message.calls ?? [] };
  if (message.role === "tool") return { kind: "result", callId: message.callId ?? "", text: message.text };
  return { kind: "user", text: message.text };
}

function parseMessage(message: PromptMessage): readonly Block[] {
  if (message.role === "assistant") return [parseAssistant(message)];
  const end = message.text.indexOf("\n");
  const header = end < 0 ? message.text : message.text.slice(0, end);
  const rest = end < 0 ? undefined : message.text.slice(end + 1);
  if (message.role === "tool") {
    const callId = message.callId ?? "";
    return [parseReference(callId, header, rest) ?? parseResult(callId, header, rest) ?? foreign(message)];
  }
  const active = parseActive(header, rest);
  if (active !== undefined) return [active];
  if (header === resumedHeader) return [parseResumed(rest ?? "")];
  const released = parseReleased(header, rest ?? "");
  if (released !== undefined) return [released];
  return parsePoolLine(header) === undefined ? [foreign(message)] : parsePool(message.text);
}

function foreign(message: PromptMessage): MessageBlock {
  const body = parseBody(message.text);
  return message.role === "tool"
    ? { kind: "result", callId: message.callId ?? "", ...body }
    : { kind: "user", ...body };
}

/** Words of the assistant are never escaped, so that only the id tells whether a line in them is ours. */
function parseAssistant(message: PromptMessage): MessageBlock {
  const body = message.id.includes("~spans@") ? parseBody(message.text) : { text: message.text };
  return { kind: "assistant", ...body, calls: message.calls ?? [] };
}

function parsePool(text: string): readonly PoolBlock[] {
  return text.split("\n").flatMap((line) => parsePoolLine(line) ?? []);
}

function parseActive(header: string, rest: string | undefined): ActiveBlock | undefined {
  const found = activeHeader.exec(header);
  if (found === null) return undefined;
  const [, id = "", state] = found;
  const known = state === "folded" ? state : textlessNamed(state);
  return {
    kind: "active",
    id: parseField(id),
    ...(known === undefined ? {} : { state: known }),
    ...(rest === undefined ? { text: null } : parseBody(rest)),
  };
}

function parseReference(callId: string, header: string, rest: string | undefined): ReferenceBlock | undefined {
  const found = referenceHeader.exec(header);
  if (found === null) return undefined;
  const [, id = "", tool, status, files, sameAs, diffFrom, chars, state] = found;
  const known = textlessNamed(state);
  return {
    kind: "reference",
    callId,
    id: parseField(id),
    ...(tool === undefined ? {} : { tool: parseField(tool) }),
    ...(status === undefined ? {} : { status: parseStatus(status) }),
    ...(files === undefined ? {} : { files: parseField(files) }),
    ...(sameAs === undefined ? {} : { sameAs: parseField(sameAs) }),
    ...(diffFrom === undefined ? {} : { diffFrom: parseField(diffFrom) }),
    ...(chars === undefined ? {} : { chars: Number(chars) }),
    ...(rest === undefined ? {} : diffFrom === undefined ? parseKept(rest) : { diff: unescapeText(rest) }),
    ...(known === undefined ? {} : { state: known }),
  };
}

function parseKept(text: string): Pick<ReferenceBlock, "names" | "lines"> {
  const all = text.split("\n");
  const lines = all.filter((line) => line.startsWith(keptLineMark));
  const names = all.length > lines.length ? parseNames(all[0] ?? "") : undefined;
  return {
    ...(names === undefined ? {} : { names }),
    ...(lines.length === 0 ? {} : { lines: lines.map((line) => unescapeText(line.slice(keptLineMark.length))) }),
  };
}

/** Names stand bare or quoted, with single spaces between them. */
function parseNames(text: string): readonly string[] {
  return (text.match(eachField) ?? []).map(parseField);
}

const parseStatus = (status: string | undefined): "ok" | "fail" => (status === "fail" ? "fail" : "ok");
const eachField = new RegExp(fieldPattern, "g");
