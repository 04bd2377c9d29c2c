// Verifies: T3: every block of a prompt is some object's, by its name, and is gone with all of its origin.
import type { Layout, RenderedPrompt } from "@cm/context-log";
import { createMemoryStore, type Source } from "@cm/object-model";
import { type Block, parse } from "@cm/prompt-grammar";
import { layouts, rendererFor, ssotAliasLayout } from "@cm/render";
import type { Random } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { openSession, type Session } from "../src/index.ts";
import { at, MapSource } from "./support/map-source.ts";
import { answering, call, result, touch } from "./support/messages.ts";
import { forSeeds } from "./support/seeds.ts";

const file = "test/origins.test.ts";
const theirs = "/vendor";
const canary = "canary-51c0";

const tried = { log: layouts.log, "ssot-alias": { ...layouts.ssot, renderer: ssotAliasLayout } };

describe.each(Object.entries(tried))("under layout %s", (name, layout) => {
  it.each(["erase", "deactivate"] as const)("%s by origin leaves no text of it", async (how) => {
    let shownBefore = 0;

    await forSeeds({ short: 12, long: 2_500, file }, async (random) => {
      const session = await sessionWith(random, layout);
      const { origin, others } = byOrigin(session);
      const before = textsByObject(session, await session.assemble());
      if (origin.some((id) => before.has(id))) shownBefore += 1;

      if (how === "erase" && origin.length > 0) await session.erase(origin, "poisoned");
      if (how === "deactivate") for (const id of origin) await session.command({ action: "deactivate", id });
      const prompt = await session.assemble({ cache: "cold" });

      const shown = textsByObject(session, prompt);
      // What was folded before leaves its names, and cannot be deactivated any more.
      const stood = how === "erase" ? origin : origin.filter((id) => before.has(id));
      expect(stood.filter((id) => shown.has(id))).toEqual([]);
      expect(JSON.stringify(prompt.messages.map(({ text }) => text))).not.toContain(canary);
      if (how === "erase") expect(JSON.stringify(prompt.messages)).not.toContain(theirs);
      if (name === "ssot-alias") expect(others.filter((id) => shown.has(id))).toEqual(activeOf(session, others));
    });

    expect(shownBefore).toBeGreaterThan(0);
  });
});

/** The objects whose text a prompt shows. Every name in it must be one of the session's. */
function textsByObject(session: Session, prompt: RenderedPrompt): ReadonlySet<string> {
  const { objects, log } = session.view();
  const aliased = new Map([...objects.values()].map(({ id, alias }) => [alias, id]));
  const called = new Map(log.flatMap((entry) => (entry.kind === "result" ? [[entry.callId, entry.object]] : [])));
  const shown = new Set<string>();
  for (const block of parse(prompt)) {
    for (const name of namesIn(block)) if (!aliased.has(name)) expect.fail(`No object has the name ${name}.`);
    const [name] = namesIn(block);
    const id = block.kind === "result" ? called.get(block.callId) : name && aliased.get(name);
    if (id !== undefined && hasText(block)) shown.add(id);
  }
  return shown;
}

function namesIn(block: Block): readonly string[] {
  if (block.kind === "notice") {
    if ("id" in block.notice && block.notice.id !== undefined) return [block.notice.id];
    return "ids" in block.notice ? block.notice.ids : [];
  }
  return "id" in block ? [block.id] : [];
}

/** Also lines below a notice, and words in it. */
function hasText(block: Block): boolean {
  if (block.kind === "notice") {
    const { notice, text = "" } = block;
    return text !== "" || (notice.kind === "left-out" && (notice.words ?? []).length > 0);
  }
  return (block.kind === "result" || block.kind === "active") && block.text !== null && block.text !== "";
}

const activeOf = (session: Session, ids: readonly string[]): readonly string[] =>
  ids.filter((id) => session.view().sets.active.has(id));

/** Files below the folder, and calls that met one of them; and all others. */
function byOrigin(session: Session): { readonly origin: readonly string[]; readonly others: readonly string[] } {
  const { log, objects } = session.view();
  const isFile = (id: string): boolean => objects.get(id)?.path?.startsWith(theirs) === true;
  const calls = log.flatMap((entry) => (entry.kind === "result" && entry.files.some(isFile) ? [entry.object] : []));
  const origin = new Set([...[...objects.keys()].filter(isFile), ...calls]);
  return { origin: [...origin], others: [...objects.keys()].filter((id) => !origin.has(id)) };
}

/** Reads, listings and edits of two origins, in random order. */
async function sessionWith(random: Random, layout: Layout): Promise<Session> {
  const source = new MapSource();
  const paths = ["/src/a.ts", "/src/b.ts", `${theirs}/c.ts`, `${theirs}/d.ts`] as const;
  const textOf = (path: string, n: number) => `${path.startsWith(theirs) ? canary : "line"} ${n} of it\n`.repeat(40);
  for (const path of paths) source.files.set(path, textOf(path, 0));
  const sources = [source as Source];
  const session = await openSession({ store: createMemoryStore(), layout, rendererFor, sources, session: "s" });
  for (let n = 0; n < 6; n += 1) {
    const path = random.pick(paths);
    const as = random.pick(["read", "read", "edited", "discovered"] as const);
    if (random.chance(0.3)) source.files.set(path, textOf(path, n));
    const text = as === "read" ? textOf(path, n) : `${path} ${as}\n`.repeat(9);
    await session.assemble(random.chance(0.2) ? { cache: "cold" } : {});
    await session.record({
      answer: answering(call(`c${n}`, as === "read" ? "read" : "bash", { path: at(path).path })),
      results: [result(`c${n}`, text, { files: [touch(path, as, as === "read" ? { startLine: 1 } : undefined)] })],
    });
  }
  for (const callId of ["late 1", "late 2"]) {
    await session.assemble();
    await session.record({ answer: answering(call(callId)), results: [result(callId, "ok")] });
  }
  return session;
}
