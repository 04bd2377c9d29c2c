import type { PiMessage } from "../pi/pi-types.ts";
import { readPayload } from "./read-payload.ts";
import type { WireUnit } from "./wire-unit.ts";

/** What a request must show where no later handler changed the prompt. Lengths in UTF-16 units. */
export interface ExpectedPrompt {
  readonly results: number;
  readonly resultChars: number;
  readonly firstText: string;
  readonly lastText: string;
}

/** Of the messages that are handed to Pi, when they are handed over. */
export function expectedOf(messages: readonly PiMessage[]): ExpectedPrompt {
  let results = 0;
  let resultChars = 0;
  const texts: string[] = [];
  for (const message of messages) {
    if (message.role !== "user" && message.role !== "toolResult" && message.role !== "custom") continue;
    const text = textOf(message.content);
    if (message.role === "toolResult") {
      results += 1;
      resultChars += text.length;
    }
    if (isSaid(text)) texts.push(text);
  }
  return { results, resultChars, firstText: texts[0] ?? "", lastText: texts.at(-1) ?? "" };
}

/**
 * Whether the request still shows that prompt: as many results of the same size, and the same first and last text. A
 * cheap look for one warning where another extension works on the prompt after us, not a proof. True for a format that
 * unknown here.
 */
export function payloadShowsOurPrompt(payload: unknown, expected: ExpectedPrompt): boolean {
  const read = readPayload(payload);
  if (read === undefined) return true;
  const said = read.units().filter(({ kind }) => kind === "user" || kind === "tool");
  const results = said.filter((unit) => unit.kind === "tool" && !isPis(unit));
  const chars = results.reduce((sum, unit) => sum + unit.chars, 0);
  const slack = results.length * placeholderChars;
  if (results.length < expected.results || Math.abs(chars - expected.resultChars) > slack) return false;
  const isSpoken = (unit: WireUnit): boolean => !isPis(unit) && unit.texts.some(isSaid);
  return begins(said.find(isSpoken), expected.firstText) && begins(said.findLast(isSpoken), expected.lastText);
}

/** Pi's words for a result without text, a call without a result, or a picture that the model cannot see. */
const placeholderChars = 64;
const pisCharsMax = 64;
/** What Pi sends to OpenAI for a result without text. */
const placeholders = new Set(["(no tool output)", "(see attached image)"]);
const isSaid = (text: string): boolean => text.trim() !== "" && !placeholders.has(text);
const pisTexts = new Set(["No result provided", "Attached image(s) from tool result:"]);

const isPis = (unit: WireUnit): boolean => unit.chars < pisCharsMax && pisTexts.has(unit.texts[0] ?? "");

function begins(unit: WireUnit | undefined, expected: string): boolean {
  if (expected === "") return true;
  return unit?.texts.join("\n").startsWith(expected.replace(loneSurrogates, "")) === true;
}

/** Pi takes them out. */
const loneSurrogates = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
