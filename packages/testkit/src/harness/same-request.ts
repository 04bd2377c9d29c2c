import assert from "node:assert/strict";
import { canonicalJson, type JsonObject, nonEmpty } from "@cm/object-model";
import type { SentMessage, SentRequest } from "./harness-run.ts";

/** Asserts that a request is the one that was recorded. Where that has marks of redaction, anything may have been sent. */
export function assertSameRequest(sent: SentRequest, recorded: SentRequest, what: string): void {
  assert.ok(isRedactedFrom(recorded.system, sent.system), `${what}: the system prompt differs`);
  const [was, is] = [joined(recorded.messages), joined(sent.messages)];
  assert.deepEqual(is.map(shape), was.map(shape), `${what}: other messages`);
  for (const [at, message] of is.entries()) assertSameMessage(message, was[at] ?? message, `${what}, message ${at}`);
}

/** Some providers take only one message of the user at a time, so adjacent ones count as one. */
export function joined(messages: readonly SentMessage[]): readonly SentMessage[] {
  const all: SentMessage[] = [];
  for (const message of messages) {
    const last = all.at(-1);
    if (last?.role !== "user" || message.role !== "user") all.push(message);
    else {
      const images = [...(last.images ?? []), ...(message.images ?? [])];
      const text = [last.text, message.text].filter((one) => one !== "").join("\n");
      all[all.length - 1] = { role: "user", text, ...nonEmpty({ images }) };
    }
  }
  return all;
}

const shape = ({ role, callId, calls = [] }: SentMessage): string =>
  [role, callId, ...calls.map((call) => `${call.callId}=${call.tool}`)].join(" ");

function assertSameMessage(sent: SentMessage, recorded: SentMessage, what: string): void {
  assert.ok(isRedactedFrom(recorded.text, sent.text), `${what}: another text`);
  assert.deepEqual(sent.images ?? [], recorded.images ?? [], `${what}: other pictures`);
  assert.deepEqual(sent.thinking ?? [], recorded.thinking ?? [], `${what}: other thinking`);
  if (sent.failed !== undefined && recorded.failed !== undefined) assert.equal(sent.failed, recorded.failed, what);
  for (const [at, { args }] of (sent.calls ?? []).entries()) {
    assert.ok(isRedactedFrom(json(recorded.calls?.[at]?.args), json(args)), `${what}: other arguments of call ${at}`);
  }
}

const json = (args: JsonObject | undefined): string => canonicalJson(args ?? {});

/** Whether a text is another one with secrets replaced by marks such as `[redacted:token]`. */
export function isRedactedFrom(stored: string, whole: string): boolean {
  const parts = stored.split(/\[redacted:[^\]]*\]/);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return stored === whole;
  if (!whole.startsWith(first) || !whole.endsWith(last)) return false;
  let place = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = whole.indexOf(part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  return place <= whole.length - last.length;
}
