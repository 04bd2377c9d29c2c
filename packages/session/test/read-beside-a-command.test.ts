// Verifies: SSOT 4.4 (11): "unchanged until then" stands only where that is known.
import type { IncomingResult } from "@cm/context-log";
import { createMemoryStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { expect, it } from "vitest";
import { openSession, type Session } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";

const text = (word: string) => Array.from({ length: 40 }, (_, line) => `${word} ${line} of a longer text`).join("\n");
const ran = (callId: string): IncomingResult => ({ role: "tool", callId, text: "Done.", failed: false });
const touched = { binding: at("/a.ts"), as: "read", span: { startLine: 1 } } as const;
const read = {
  ...{ role: "tool", callId: "read", text: text("first"), failed: false },
  files: [touched],
} as const satisfies IncomingResult;

type Step = (...results: readonly IncomingResult[]) => Promise<void>;

/** A session in which `read` reads a file by this path. */
async function opened(path: string) {
  const source = new MapSource();
  source.files.set("/a.ts", text("first"));
  const session = await openSession({
    ...{ store: createMemoryStore(), sources: [source], session: "s", layout: layouts.log, rendererFor },
  });
  const step: Step = async (...results) => {
    await session.assemble();
    const calls = results.map(({ callId }) =>
      callId === "read"
        ? { callId, tool: "read", args: { path } }
        : { callId, tool: "bash", args: { command: `make ${callId}` } },
    );
    await session.record({ answer: { role: "assistant", text: "", calls }, results });
  };
  await session.receive([{ role: "user", text: "Go on." }]);
  return { session, source, step };
}

async function later(session: Session, step: Step): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await session.receive([{ role: "user", text: "Next." }]);
    for (let call = 0; call < 25; call += 1) await step(ran(`t${turn}c${call}`));
  }
}

it("a read says nothing of a file that cannot be looked at when it is left out, such as for a link in its place", async () => {
  const { session, source, step } = await opened("/a.ts");
  await step(read);
  await later(session, step);
  source.unreachable.add("/a.ts");

  const { messages } = await session.assemble({ cache: "cold" });

  expect(messages.find(({ callId }) => callId === "read")?.text).toContain("40 lines of a.ts left out;");
});

it.each([
  ["alone", "/a.ts", false, "40 lines of a.ts left out, unchanged until then"],
  ["by a relative path", "src/../a.ts", false, "40 lines of a.ts left out, unchanged until then"],
  // The link may lead to another file by now.
  ["through a link", "/link.ts", false, "40 lines of link.ts left out;"],
  // Files are looked at behind all calls of an answer: the text of the read is not what was found then.
  ["beside a command that changed the file", "/a.ts", true, "40 lines of a.ts left out;"],
])("a read %s says of its file what is known", async (_, path, isBeside, said) => {
  const { session, source, step } = await opened(path);
  await session.assemble();
  if (isBeside) source.files.set("/a.ts", text("second"));
  await step(read, ...(isBeside ? [ran("mv")] : []));
  await later(session, step);

  const { messages } = await session.assemble({ cache: "cold" });

  expect(messages.find(({ callId }) => callId === "read")?.text).toContain(said);
});

it.each([
  ["a link to a file of its name", "/w/lib/a.ts", "40 lines of a.ts left out;"],
  ["the file itself", "/w/a.ts", "40 lines of a.ts left out, unchanged until then"],
])("a read by a relative path says nothing of a file that may be another by now: %s", async (_, path, said) => {
  const source = new MapSource();
  source.files.set(path, text("first"));
  source.files.set("/w/b.ts", "one line");
  const session = await openSession({
    ...{ store: createMemoryStore(), sources: [source], session: "s", layout: layouts.log, rendererFor },
  });
  const step = async (callId: string, asked: string, file: string) => {
    await session.assemble();
    const answer = { role: "assistant", text: "", calls: [{ callId, tool: "read", args: { path: asked } }] } as const;
    const result = { ...read, callId, text: callId === "read" ? read.text : "one line" };
    await session.record({ answer, results: [{ ...result, files: [{ ...touched, binding: at(file) }] }] });
  };
  await session.receive([{ role: "user", text: "Go on." }]);
  await step("read", "a.ts", path);
  for (let turn = 0; turn < 4; turn += 1) {
    await session.receive([{ role: "user", text: "Next." }]);
    for (let call = 0; call < 20; call += 1) await step(`t${turn}c${call}`, "b.ts", "/w/b.ts");
  }

  const { messages } = await session.assemble({ cache: "cold" });

  expect(messages.find(({ callId }) => callId === "read")?.text).toContain(said);
});
