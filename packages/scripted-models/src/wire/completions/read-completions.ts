import { dataUrlOf } from "../data-url.ts";
import { type Json, type JsonObject, listOf, objectOf, textOf } from "../json.ts";
import { pieceOf, toolPieces } from "../pieces.ts";
import { type SentBlock, type SentMessage, type SentPrompt, UnreadableRequest } from "../sent-prompt.ts";

/** A body of OpenAI's chat completions. The system prompt is its first message. @throws UnreadableRequest */
export function readCompletions(body: JsonObject): SentPrompt {
  const tools = body.tools === undefined ? [] : listOf(body.tools, "tools").map((tool) => objectOf(tool, "a tool"));
  const all = listOf(body.messages, "messages").map((message) => objectOf(message, "a message"));
  const system = all.findIndex(({ role }) => role !== "system" && role !== "developer");
  const head = system === -1 ? all.length : system;
  return {
    system: all
      .slice(0, head)
      .map((message) => joined(message.content))
      .join("\n"),
    tools: tools.map((tool) => ({ name: nameOf(tool), json: JSON.stringify(tool) })),
    messages: all.slice(head).map(messageOf),
    pieces: [...toolPieces(tools), ...all.map((message) => pieceOf("", message))],
  };
}

const nameOf = (tool: JsonObject): string => textOf(objectOf(tool.function, "a tool's function").name, "a tool's name");

function messageOf(message: JsonObject): SentMessage {
  const { role, content } = message;
  if (role === "system" || role === "developer") return { role: "system", blocks: partsOf(content) };
  if (role === "user") return { role, blocks: partsOf(content) };
  if (role === "tool") {
    const id = textOf(message.tool_call_id, "a result's id");
    return { role, blocks: [{ kind: "result", id, text: joined(content), images: [], isError: undefined }] };
  }
  if (role !== "assistant") throw new UnreadableRequest(`the role ${String(role)}`);
  const thinking = message.reasoning_content;
  const calls = message.tool_calls === undefined ? [] : listOf(message.tool_calls, "tool_calls");
  const blocks: readonly SentBlock[] = [
    ...(typeof thinking === "string" ? [{ kind: "thinking" as const, text: thinking, signature: undefined }] : []),
    ...(content === null || content === "" ? [] : partsOf(content)),
    ...calls.map(callOf),
  ];
  return { role, blocks };
}

function callOf(json: Json): SentBlock {
  const call = objectOf(json, "a call");
  const named = objectOf(call.function, "a call's function");
  return {
    kind: "call",
    id: textOf(call.id, "a call's id"),
    name: textOf(named.name, "a call's name"),
    args: textOf(named.arguments, "a call's arguments"),
  };
}

function partsOf(content: Json | undefined): readonly SentBlock[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return listOf(content, "content").map((json) => {
    const part = objectOf(json, "a part");
    if (part.type === "text") return { kind: "text", text: textOf(part.text, "a text") };
    if (part.type !== "image_url") throw new UnreadableRequest(`a part of type ${String(part.type)}`);
    return { kind: "image", ...dataUrlOf(objectOf(part.image_url, "an image").url) };
  });
}

const joined = (content: Json | undefined): string =>
  partsOf(content)
    .map((block) => (block.kind === "text" ? block.text : ""))
    .join("\n");
