import { dataUrlOf } from "../data-url.ts";
import { type Json, type JsonObject, listOf, objectOf, textOf } from "../json.ts";
import { pieceOf, toolPieces } from "../pieces.ts";
import { type SentBlock, type SentMessage, type SentPrompt, UnreadableRequest } from "../sent-prompt.ts";

/** A body of OpenAI's responses: a flat list of items, of which the first are the system prompt. @throws UnreadableRequest */
export function readResponses(body: JsonObject): SentPrompt {
  const tools = body.tools === undefined ? [] : listOf(body.tools, "tools").map((tool) => objectOf(tool, "a tool"));
  const items = listOf(body.input, "input").map((item) => objectOf(item, "an item"));
  const first = items.findIndex(({ role }) => role !== "system" && role !== "developer");
  const head = first === -1 ? items.length : first;
  return {
    system: items
      .slice(0, head)
      .flatMap((item) => partsOf(item.content))
      .map((block) => (block.kind === "text" ? block.text : ""))
      .join("\n"),
    tools: tools.map((tool) => ({ name: textOf(tool.name, "a tool's name"), json: JSON.stringify(tool) })),
    messages: merged(items.slice(head).map(messageOf)),
    pieces: [...toolPieces(tools), ...items.map((item) => pieceOf("", item))],
  };
}

/** One answer of the model: its items follow each other as thinking, text, calls. */
function merged(items: readonly SentMessage[]): readonly SentMessage[] {
  const ranks: readonly SentBlock["kind"][] = ["thinking", "text", "call"];
  const messages: SentMessage[] = [];
  for (const item of items) {
    const last = messages.at(-1);
    const [before, next] = [last?.blocks.at(-1)?.kind ?? "text", item.blocks[0]?.kind ?? "text"];
    const goesOn =
      item.role === "assistant" && last?.role === "assistant" && ranks.indexOf(before) <= ranks.indexOf(next);
    // Two texts in a row are two answers, and so are two thoughts.
    if (!goesOn || (before === next && next !== "call")) messages.push(item);
    else messages[messages.length - 1] = { role: "assistant", blocks: [...(last?.blocks ?? []), ...item.blocks] };
  }
  return messages;
}

function messageOf(item: JsonObject): SentMessage {
  if (item.type === "function_call") return { role: "assistant", blocks: [callOf(item)] };
  if (item.type === "reasoning") return { role: "assistant", blocks: [thinkingOf(item)] };
  if (item.type === "function_call_output") return { role: "tool", blocks: [resultOf(item)] };
  const role = item.role === "developer" ? "system" : item.role;
  if (role !== "user" && role !== "assistant" && role !== "system") {
    throw new UnreadableRequest(`an item of type ${String(item.type)} and role ${String(role)}`);
  }
  return { role, blocks: partsOf(item.content) };
}

function callOf(item: JsonObject): SentBlock {
  return {
    kind: "call",
    id: textOf(item.call_id, "a call's id"),
    name: textOf(item.name, "a call's name"),
    args: textOf(item.arguments, "a call's arguments"),
  };
}

function thinkingOf(item: JsonObject): SentBlock {
  const summary = listOf(item.summary, "a summary").map((part) => textOf(objectOf(part, "a part").text, "a text"));
  const signature = textOf(item.encrypted_content, "the encrypted content of reasoning");
  return { kind: "thinking", text: summary.join("\n\n"), signature };
}

function resultOf(item: JsonObject): SentBlock {
  const blocks = partsOf(item.output);
  return {
    kind: "result",
    id: textOf(item.call_id, "a result's id"),
    text: blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])).join("\n"),
    images: blocks.flatMap((block) =>
      block.kind === "image" ? [{ mediaType: block.mediaType, data: block.data }] : [],
    ),
    isError: undefined,
  };
}

function partsOf(content: Json | undefined): readonly SentBlock[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listOf(content, "content").map((json) => {
    const part = objectOf(json, "a part");
    if (part.type === "input_text" || part.type === "output_text") {
      return { kind: "text", text: textOf(part.text, "a text") };
    }
    if (part.type !== "input_image") throw new UnreadableRequest(`a part of type ${String(part.type)}`);
    return { kind: "image", ...dataUrlOf(part.image_url) };
  });
}
