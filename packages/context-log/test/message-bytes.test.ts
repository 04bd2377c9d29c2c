// Verifies: SSOT 4.4 (10): what a message weighs in a window, as UTF-8.
import { expect, it } from "vitest";
import { messageBytes } from "../src/index.ts";

it("counts text, thinking, ids and arguments in bytes, and a picture by what providers count at most", () => {
  const text = { id: "0", role: "user", text: "héé", chars: 3 } as const;
  const calls = [{ callId: "c1", tool: "read", args: { b: 1, a: "é" } }];
  const answer = { id: "1", role: "assistant", text: "", chars: 0, calls } as const;

  expect(messageBytes(text)).toBe(5);
  expect(messageBytes({ ...text, attachments: [{ sha256: "", mime: "image/png", bytes: 9 }] })).toBe(6_005);
  expect(messageBytes(answer)).toBe("c1read".length + Buffer.byteLength('{"a":"é","b":1}'));
  expect(messageBytes({ ...answer, thinking: [{ text: "hm", signature: "sig" }] })).toBe(messageBytes(answer) + 5);
  expect(messageBytes({ id: "2", role: "tool", text: "ok", chars: 2, callId: "c1" })).toBe(4);
});
