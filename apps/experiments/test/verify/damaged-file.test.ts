// @module-tag long
// Verifies: F13: after any damage of a file's bytes no document is read that never was written, and where one is missing or an
// older one stands in its place, a verification says so.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultPrices } from "@cm/context-log";
import { everyVersion, isCmError, type ObjectStore } from "@cm/object-model";
import type { Recording } from "@cm/recordings";
import { layouts } from "@cm/render";
import { rendererFor, replayRecording } from "@cm/replay";
import { generatedContent } from "@cm/replay/generated";
import { rebuildPrompts } from "@cm/session";
import { isDamage, verifyStore } from "@cm/session/verify";
import { openSqliteStore } from "@cm/store-sqlite";
import { createRandom } from "@cm/testkit";
import { expect, it, onTestFinished } from "vitest";
import { damages } from "./support/damage.ts";

const files = process.env.CM_CAMPAIGN === "1" ? 2_000 : 72;
const seed = Number(process.env.CM_SEED ?? 1);

/** A wrong answer that a verification calls sound is what must never be; anything else is told. */
it(`of ${files} files that were damaged none gives a wrong answer that a verification calls sound`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "cm-damaged-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const whole = join(folder, "whole.sqlite");
  await writeSession(whole);
  const written = await answersOf(whole);
  const everWritten = new Set(Object.values(written.documents));
  expect(await verdictOf(whole)).toBe("sound");
  const told = { equal: 0, refused: 0, found: 0 };

  for (let n = 0; n < files; n += 1) {
    const random = createRandom(seed + n);
    const damage = damages[(seed + n) % damages.length] ?? expect.unreachable();
    const path = join(folder, "damaged.sqlite");
    copyFileSync(whole, path);
    writeFileSync(path, damage.change(readFileSync(path), random));
    const replay = `Seed ${seed + n}, ${damage.name}. Repeat with: CM_SEED=${seed + n} npx vitest run --project @cm/experiments verify/damaged-file`;
    const [answers, verdict] = [await answersOf(path), await verdictOf(path)];
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });

    if (JSON.stringify(answers) === JSON.stringify(written)) told.equal += 1;
    else if (verdict === "refused") told.refused += 1;
    else if (verdict === "damaged") told.found += 1;
    else expect.fail(`A verification calls it sound, and it does not say what was written. ${replay}`);
    const never = Object.entries(answers.documents).find(([, document]) => !everWritten.has(document));
    if (never !== undefined) expect.fail(`A document is read that never was written: ${never[0]}. ${replay}`);
    if (answers.untyped !== undefined) expect.fail(`An untyped error: ${answers.untyped}. ${replay}`);
  }

  expect(told.found).toBeGreaterThan(files / 10);
  expect(told.equal).toBeGreaterThan(0);
});

async function writeSession(path: string): Promise<void> {
  const content = generatedContent({ seed: 7, calls: 12, lines: 60 });
  const recording: Recording = { ...content, format: "pi", id: "made", cwd: "/made", skippedLines: 0, warnings: [] };
  const store = openSqliteStore({ path });
  await replayRecording(recording, { store, layout: layouts.log, session: "made", prices: defaultPrices });
  await store.close();
}

interface Answers {
  readonly documents: Readonly<Record<string, string>>;
  readonly requests: readonly string[];
  readonly lost: readonly string[];
  readonly untyped?: string;
}

/** Everything that a reader may ask: lists, histories, requests rebuilt. A fault is an answer, too. */
async function answersOf(path: string): Promise<Answers> {
  const documents: Record<string, string> = {};
  const requests: string[] = [];
  const lost: string[] = [];
  let untyped: string | undefined;
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (isCmError(error)) lost.push(error.code);
      else untyped ??= String(Object(error).stack ?? error);
    }
  };
  await attempt(async () => {
    const store = openSqliteStore({ path });
    try {
      for (const type of ["file", "toolcall", "step", "keyframe", "session", "chat", "system_prompt"]) {
        await attempt(async () => void (await takeDocuments(store, type, documents)));
      }
      await attempt(async () => {
        for await (const { hash, recordedHash, complete, missing } of rebuildPrompts(store, "made", rendererFor)) {
          requests.push(`${hash} ${recordedHash} ${complete} ${missing.length}`);
        }
      });
    } finally {
      await store.close();
    }
  });
  return { documents, requests, lost, ...(untyped === undefined ? {} : { untyped }) };
}

async function takeDocuments(store: ObjectStore, type: string, into: Record<string, string>): Promise<void> {
  for await (const { id } of everyVersion((page) => store.find({ type }, page))) {
    for await (const version of everyVersion((page) => store.history(id, { ...page, documents: true }))) {
      into[`${id} ${version.basis}`] = JSON.stringify(version.document);
    }
  }
}

async function verdictOf(path: string): Promise<"sound" | "damaged" | "refused"> {
  try {
    const store = openSqliteStore({ path, readOnly: true });
    try {
      for await (const finding of verifyStore(store)) if (isDamage(finding)) return "damaged";
      return "sound";
    } finally {
      await store.close();
    }
  } catch (error) {
    if (isCmError(error)) return "refused";
    throw error;
  }
}
