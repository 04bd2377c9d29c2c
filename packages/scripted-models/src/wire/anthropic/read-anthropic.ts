import { type Json, type JsonObject, listOf, objectOf, textOf } from "../json.ts";
import { pieceOf, toolPieces } from "../pieces.ts";
import { type Piece, type SentBlock, type SentMessage, type SentPrompt, UnreadableRequest } from "../sent-prompt.ts";

/** A body of Anthropic's Messages. @throws UnreadableRequest */
export function readAnthropic(body: JsonObject): SentPrompt {
  const tools = body.tools === undefined ? [] : listOf(body.tools, "tools").map((tool) => objectOf(tool, "a tool"));
  const system = blocksOf(body.system ?? []);
  const messages = listOf(body.messages, "messages").map((message) => objectOf(message, "a message"));
  return {
    system: system.map((block) => textOf(block.text, "a block of the system prompt")).join("\n"),
    tools: tools.map((tool) => ({ name: textOf(tool.name, "a tool's name"), json: pieceOf("tool", tool).text })),
    messages: messages.map(messageOf),
    pieces: [...toolPieces(tools), ...system.map((block) => pieceOf("system", block)), ...messages.flatMap(piecesOf)],
  };
}

function piecesOf(message: JsonObject): Piece[] {
  const role = textOf(message.role, "a role");
  return blocksOf(message.content).map((block) => pieceOf(role, block));
}

function messageOf(message: JsonObject): SentMessage {
  const role = textOf(message.role, "a role");
  if (role !== "user" && role !== "assistant" && role !== "system") throw new UnreadableRequest(`the role ${role}`);
  return { role, blocks: blocksOf(message.content).map(blockOf) };
}

/** Content is a list of blocks, or a text that stands for one. */
function blocksOf(content: Json | undefined): readonly JsonObject[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content, "content").map((block) => objectOf(block, "a block"));
}

function blockOf(block: JsonObject): SentBlock {
  switch (block.type) {
    case "text":
      return { kind: "text", text: textOf(block.text, "a text") };
    case "thinking":
      return {
        kind: "thinking",
        text: textOf(block.thinking, "thinking"),
        signature: textOf(block.signature, "a signature"),
      };
    case "image":
      return { kind: "image", ...imageOf(block) };
    case "tool_use":
      return {
        kind: "call",
        id: textOf(block.id, "a call's id"),
        name: textOf(block.name, "a call's name"),
        args: JSON.stringify(objectOf(block.input, "a call's input")),
      };
    case "tool_result":
      return resultOf(block);
    default:
      throw new UnreadableRequest(`a block of type ${String(block.type)}`);
  }
}

function resultOf(block: JsonObject): SentBlock {
  const content = blocksOf(block.content ?? []);
  return {
    kind: "result",
    id: textOf(block.tool_use_id, "a result's id"),
    text: content.flatMap((each) => (each.type === "text" ? [textOf(each.text, "a text")] : [])).join("\n"),
    images: content.flatMap((each) => (each.type === "image" ? [imageOf(each)] : [])),
    isError: block.is_error === true,
  };
}

function imageOf(block: JsonObject): { mediaType: string; data: string } {
  const source = objectOf(block.source, "an image's source");
  return { mediaType: textOf(source.media_type, "a media type"), data: textOf(source.data, "an image's data") };
}
