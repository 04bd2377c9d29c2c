import { join } from "node:path";
import type { ObjectStore } from "@cm/object-model";
import {
  checkStructure,
  type PiHome,
  type PiVersion,
  type Play,
  piVersions,
  type Rpc,
  type Script,
  type ScriptedAnswer,
} from "@cm/scripted-models/real-pi";
import { listSessions, sessionAt } from "@cm/session";
import { verifyStore } from "@cm/session/verify";
import { expect } from "vitest";
import { all, inStore } from "../../support/stored.ts";
import { resultsIn, textOf } from "../../support/texts.ts";
import type { Stage, Stages } from "../../support/with-pi.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";

/** For what takes longer than `npm test` has time. */
export const versionsOfCampaign: readonly PiVersion[] = isCampaign ? piVersions : [];

/** Files for the calls of an outage. */
export const files: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`f${n}.ts`, textOf(`file${n}`)]),
);

/** A turn: reads of the files from one number to before another, each in a request of its own, and a word at the end. */
export const turn = (from: number, to: number): readonly ScriptedAnswer[] => [
  ...Array.from({ length: to - from }, (_, n) => ({ calls: [{ name: "read", args: { path: `f${from + n}.ts` } }] })),
  { text: `said after ${to}` },
];

export const agentFolderOf = ({ agentDir }: PiHome): string => join(agentDir, "context-manager");
export const databaseOf = (home: PiHome): string => join(agentFolderOf(home), "objects.sqlite");

/**
 * A stage with these files, and the layout that has a line of ours in place of every output: under the default one a
 * prompt in which nothing is folded cannot be told from the raw history.
 */
export async function openOutage(stages: Stages, script: Script): Promise<Stage> {
  const stage = await stages.open(script, { environment: { CM_LAYOUT: "ssot" } });
  await stage.run.home.write(files);
  return stage;
}

/** Tool results in requests that are not a line of ours. */
const rawResults = ({ requests }: Play): readonly string[] =>
  requests.flatMap((request) =>
    resultsIn(request)
      .filter((text) => !/^toolcall_ref id=\S+ tool=\S+ status=ok$/.test(text))
      .map((text) => `request ${request.index}: ${text.slice(0, 60)}`),
  );

/** What every request has to be, however the database is. */
export function expectManaged(play: Play): void {
  expect(play.requests.flatMap(checkStructure)).toEqual([]);
  expect(rawResults(play)).toEqual([]);
  expect(play.requests.flatMap(resultsIn)).not.toEqual([]);
  expect([play.beyond, play.unreadable]).toEqual([0, []]);
}

/** Until the status line says so, at once if it does already. */
export async function untilStatus(rpc: Rpc, what: string, says: (text: string) => boolean): Promise<void> {
  if (says(rpc.status("cm") ?? "")) return;
  await rpc.until(
    `a status that says ${what}`,
    ({ type, method, statusKey }) =>
      type === "extension_ui_request" && method === "setStatus" && statusKey === "cm" && says(rpc.status("cm") ?? ""),
    rpc.records.length,
  );
}

export const isAllRight = (text: string): boolean =>
  /^cm (on$|.* tokens)/.test(text) && !/database|not written/.test(text);

/** One sound session with the reads of these files, in order, each with its text, and the files themselves. */
export async function expectIn(store: ObjectStore, reads: number): Promise<void> {
  expect(await all(verifyStore(store))).toEqual([]);
  const sessions = await all(listSessions(store));
  expect(sessions).toHaveLength(1);
  const { objects } = await sessionAt(store, sessions[0]?.head ?? { session: "", n: 0 });
  const calls = objects.filter(({ kind, tool }) => kind === "toolcall" && tool === "read");
  expect(calls.map(({ status }) => status)).toEqual(Array.from({ length: reads }, () => "ok"));
  for (const [n, { text }] of calls.entries()) expect(text, `call ${n}`).toContain(files[`f${n}.ts`]);
  const known = objects.filter(({ kind }) => kind === "file").map(({ text }) => text);
  expect(new Set(known)).toEqual(new Set(Object.values(files).slice(0, reads)));
}

export const expectStored = (home: PiHome, reads: number): Promise<void> =>
  inStore(home, (store) => expectIn(store, reads));
