import type { RenderedPrompt } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import { layouts, rendererFor } from "@cm/render";
import { openSession, type Session } from "@cm/session";
import { SessionScript } from "@cm/testkit";
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
    ...{ owner: "test", keyframeEverySteps: 10 },
  });
  return { session, files, prompts: [] };
}

/** One step: something was said, a file changed, a call read it, and sometimes a result comes late. */
export async function step({ session, files, prompts }: Played, n: number): Promise<void> {
  const path = `/file ${n % 7}`;
  const text = `text ${n}\n`.repeat(20);
  files.texts.set(path, text);
  const isLate = n % 4 === 0;
  const script = new SessionScript({ bindingOf }).say(`Say ${n}.`).together(
    (answer) => {
      answer.read(path, text, { callId: `call ${n}` });
      if (isLate) answer.read(path, undefined, { callId: `late ${n}` });
    },
    { text: `Step ${n}.` },
  );
  prompts.push(...(await script.playInto(session)));
  if (n % 3 === 0) await session.command({ action: "pin", id: `call ${n}` });
  const touched = [{ binding: bindingOf(path), as: "read", span: { startLine: 1 } }] as const;
  if (isLate) await new SessionScript().late(`late ${n}`, text, { files: touched }).playInto(session);
}

const bindingOf = (path: string) => ({ type: "filesystem" as const, filesystemId: "fs", path });
