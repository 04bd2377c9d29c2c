// @module-tag long
// Verifies: SSOT 2.7, 2.5: an output that no object can hold is kept by its ends, its step is recorded, and what is done is bounded.
import { createMemoryStore, limits as modelLimits, type ObjectStore } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { limits, openSession, type Redactor } from "../src/index.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { answering, call, result, says, user } from "./support/messages.ts";
import { quietPolicy } from "./support/policies.ts";
import { openLog } from "./support/renderers.ts";

const layout = { policy: quietPolicy, renderer: openLog };
const line = `${"x".repeat(99)}\n`;
const megabytes = (count: number): string => line.repeat(count * 10_000);

async function recorded(text: string, { late = false, ...options }: { redact?: Redactor; late?: boolean } = {}) {
  const store = createMemoryStore();
  const session = await openSession({ store, layout, session: "s", ...options });
  await session.receive([user("go")]);
  await session.assemble();
  const results = [result("big", text), result("small", "small")];
  await session.record({ answer: answering(call("big"), call("small")), ...(late ? {} : { results }) });
  if (late) await session.receive(results);
  await session.assemble();
  await session.record(says("done"));
  await session.close();
  return { store, stored: (await textOf(store, "big")) ?? "" };
}

async function textOf(store: ObjectStore, id: string): Promise<string | undefined> {
  return (await store.getMany([id])).get(id)?.document?.content ?? undefined;
}

const said = (chars: number) =>
  new RegExp(
    `\\n\\[Context Manager: this output had ${chars.toLocaleString("en-US")} characters; its first ([\\d,]+) and its last ([\\d,]+) were kept, what stood here was not\\.\\]\\n`,
  );
const numberOf = (text = ""): number => Number(text.replaceAll(",", ""));

describe("an output of 50 MB", () => {
  it.each([
    ["with its step", {}],
    ["after its step", { late: true }],
  ])("that comes %s is kept by its two ends, whole lines, and the rest of the step with it", async (_, options) => {
    const text = `first line\n${megabytes(50)}last line`;

    const { store, stored } = await recorded(text, options);

    const [between = "", first, last] = said(text.length).exec(stored) ?? [];
    const [head = "", tail = ""] = stored.split(between);
    expect([head.length, tail.length]).toEqual([numberOf(first), numberOf(last)]);
    expect(text.startsWith(`${head}\n`) && text.endsWith(`\n${tail}`)).toBe(true);
    expect(head.length + tail.length).toBeGreaterThan(2 * (limits.outputEndChars - line.length));
    expect(await textOf(store, "small")).toBe("small");
    expect(await all(verifyStore(store))).toEqual([]);
  });

  it("is looked through for secrets no further than what is kept, and no half of one is left at the cut", async () => {
    let looked = 0;
    const secret = `-----BEGIN-----${"k".repeat(1_000)}-----END-----`;
    const redact: Redactor = (text) => {
      looked += text.length;
      const parts = text.split(secret);
      return { text: parts.join("[secret]"), count: parts.length - 1 };
    };
    const filler = "y".repeat(limits.outputEndChars - 500);
    const text = `${secret}${filler}${secret}${"z".repeat(40_000_000)}${secret}${filler}`;

    const { stored } = await recorded(text, { redact });

    expect(looked).toBeLessThan(2 * (limits.outputEndChars + limits.outputMarginChars) + 1_000);
    expect(stored.match(/\[secret\]/g)).toHaveLength(1);
    expect(stored).not.toContain("kkk");
    expect(stored).not.toContain("BEGIN");
  });
});

it.each([
  ["of one byte each", "x"],
  ["of three bytes each", "€"],
])("An output of outputBytesMax of characters %s is kept whole, one more is not.", async (_, character) => {
  const most = character.repeat(limits.outputBytesMax / Buffer.byteLength(character));

  const whole = (await recorded(most)).stored;
  const cut = (await recorded(most + character)).stored;

  expect(whole === most).toBe(true);
  expect(cut).toMatch(said(most.length + 1));
  expect(Buffer.byteLength(cut)).toBeLessThan(modelLimits.contentBytesMax);
});

it("An output that redaction makes too long for an object is cut, too.", async () => {
  const redact: Redactor = (text) => ({ text: text.replaceAll("s", "[secret]"), count: 1 });

  const { stored } = await recorded("s".repeat(8 * 1024 * 1024), { redact });

  expect(stored).toMatch(said(8 * 8 * 1024 * 1024));
});
