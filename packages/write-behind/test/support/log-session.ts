import type { IncomingResult, ObjectStore, RenderedPrompt, StepRecord } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { FileMap } from "./file-map.ts";

export interface Played {
  readonly session: Session;
  readonly files: FileMap;
  readonly prompts: RenderedPrompt[];
}

export async function play(store: ObjectStore): Promise<Played> {
  const files = new FileMap();
  const session = await openSession({
    ...{ store, layout: layouts.log, rendererFor, sources: [files], session: "s", systemPrompt: "You are a test." },
    ...{ owner: "test", keyframeEverySteps: 10, wait: async () => undefined },
  });
  return { session, files, prompts: [] };
}

/** One step: something was said, a file changed, a call read it, and sometimes a result comes late. */
export async function step({ session, files, prompts }: Played, n: number): Promise<void> {
  files.texts.set(`/file ${n % 7}`, `text ${n}\n`.repeat(20));
  await session.receive([{ role: "user", text: `Say ${n}.` }]);
  prompts.push(await session.assemble());
  await session.record(read(n));
  if (n % 3 === 0) await session.command({ action: "pin", id: `call ${n}` });
  if (n % 4 === 0) await session.receive([result(`late ${n}`, n)]);
}

function read(n: number): StepRecord {
  const args = { path: `/file ${n % 7}` };
  const calls = [{ callId: `call ${n}`, tool: "read", args }];
  const late = n % 4 === 0 ? [{ callId: `late ${n}`, tool: "read", args }] : [];
  return {
    answer: { role: "assistant", text: `Step ${n}.`, calls: [...calls, ...late] },
    results: [result(`call ${n}`, n)],
  };
}

function result(callId: string, n: number): IncomingResult {
  const binding = { type: "filesystem" as const, filesystemId: "fs", path: `/file ${n % 7}` };
  return {
    ...{ role: "tool", callId, text: `text ${n}\n`.repeat(20), failed: false },
    files: [{ binding, as: "read", span: { startLine: 1 } }],
  };
}
