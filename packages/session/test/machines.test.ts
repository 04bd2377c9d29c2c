// Verifies: SSOT 2.4, 3.6: on a store that machines share, a file is its machine's: no text of one becomes a version of
// another's.
import type { Renderer, StepRecord } from "@cm/context-log";
import { createMemoryStore, type FilesystemBinding, type ObjectStore, objectIdOf } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { type OpenSessionOptions, openSession, rebuildPrompts, type Session } from "../src/index.ts";
import { verifyStore } from "../src/verify.ts";
import { all } from "./support/all.ts";
import { bothStores } from "./support/both-stores.ts";
import { versionsOf } from "./support/damaged-store.ts";
import { quietly } from "./support/layouts.ts";
import { MachineSource } from "./support/machine-source.ts";
import { result, runs, says } from "./support/messages.ts";
import { openLog, openSets, rendererFor } from "./support/renderers.ts";
import { randomCommand } from "./support/script.ts";
import { forSeeds } from "./support/seeds.ts";
import { snapshot } from "./support/snapshot.ts";

const idOf = (source: FilesystemBinding) => objectIdOf({ type: "file", source });

describe.each(bothStores)(
  "machines over $name, each with the files of the other in a folder of its own",
  ({ open }) => {
    it.each([openLog, openSets])(
      "write what differs as their own file, under the same short name in $layout",
      async (renderer) => {
        const { store, a, b, on, versions } = world(open(), renderer);
        a.files.set("f", "of A").set("g", "same");
        b.files.set("f", "of B").set("g", "same");
        const left = await on(a);
        await step(left, reads(a, "f"));
        await step(left, reads(a, "g"));
        await left.command({ action: "pin", id: "f1" });
        await left.close();

        const session = await on(b);
        const prompt = await session.assemble();
        const { n } = await session.record(says("on"));

        expect(await versions(a.at("f"))).toEqual(["of A"]);
        expect(await versions(a.at("g"))).toEqual(["same"]);
        expect(await versions(b.at("f"))).toEqual(["of B"]);
        expect(await versions(b.at("g"))).toEqual([]);
        expect(session.opened.report).toMatchObject({
          changed: [{ id: idOf(b.at("f")), alias: "f1", path: "/B/f" }],
          unreachable: [],
          paths: [{ was: "/A", now: "/B" }],
        });
        expect(session.view().log.find(({ kind }) => kind === "resumed")).toMatchObject({
          files: [{ object: idOf(b.at("f")), path: "/B/f", before: "of A", after: "of B" }],
        });
        expect(await filesIn(session)).toEqual([
          { alias: "f2", path: "/B/g", text: "same", pinned: false },
          { alias: "f1", path: "/B/f", text: "of B", pinned: true },
        ]);
        expect(await session.recall("f1")).toMatchObject({ done: true, object: { id: idOf(b.at("f")), text: "of B" } });
        expect(await session.recall(idOf(a.at("f")))).toMatchObject({ done: true, object: { text: "of B" } });
        expect((await session.promptAt(n)).prompt).toEqual(prompt);
        await isSound(store);
      },
    );

    it("have one file where what they have is the same, and the agent reads it where it is now", async () => {
      const { store, a, b, on, versions } = world(open());
      a.files.set("f", "same");
      b.files.set("f", "same");
      const left = await on(a);
      await step(left, reads(a, "f"));
      await left.close();

      const session = await on(b);
      const unchanged = session.opened.report;
      await step(session, reads(b, "f"));

      expect(unchanged).toMatchObject({ changed: [], unreachable: [] });
      expect(await filesIn(session)).toEqual([{ alias: "f1", path: "/B/f", text: "same", pinned: false }]);
      expect([await versions(a.at("f")), await versions(b.at("f"))]).toEqual([["same"], ["same"]]);
      expect(session.seen("f1")).toHaveLength(2);
      expect(session.view().sets.pool.has(idOf(a.at("f")))).toBe(false);
      await isSound(store);
    });

    it("find their own file again in another session, and in one that goes on", async () => {
      const { store, a, b, on, versions } = world(open());
      a.files.set("f", "of A");
      b.files.set("f", "of B");
      await step(await on(b, "other"), reads(b, "f"));
      const left = await on(a);
      await step(left, reads(a, "f"));
      await left.close();

      const moved = await on(b);
      await step(moved, reads(b, "f"));
      b.files.set("f", "of B, edited");
      await moved.assemble();
      await moved.record(says("seen"));
      await moved.close();
      const again = await on(b);

      expect([await versions(a.at("f")), await versions(b.at("f"))]).toEqual([["of A"], ["of B, edited", "of B"]]);
      expect(await filesIn(again)).toEqual([{ alias: "f1", path: "/B/f", text: "of B, edited", pinned: false }]);
      await isSound(store);
    });

    it("take nothing of what is only missing here for deleted there", async () => {
      const { store, a, b, on, versions } = world(open());
      a.files.set("f", "of A");
      const left = await on(a);
      await step(left, reads(a, "f"));
      await left.close();

      const session = await on(b);
      await step(session);
      await step(session);
      b.files.set("f", "of B");
      await step(session);

      expect(session.opened.report).toMatchObject({
        deleted: [],
        unreachable: [{ alias: "f1", path: "/B/f", reason: "no such file on this machine" }],
      });
      expect([await versions(a.at("f")), await versions(b.at("f"))]).toEqual([["of A"], ["of B"]]);
      await isSound(store);
    });

    it("go back and forth", async () => {
      const { store, a, b, on, versions } = world(open());
      b.relocated.set("A", "/A");
      a.relocate(b);
      a.files.set("f", "A1");
      b.files.set("f", "B1");
      const first = await on(a);
      await step(first, reads(a, "f"));
      await first.close();
      const second = await on(b);
      await step(second, reads(b, "f"));
      b.files.set("f", "B2");
      await second.close();
      const third = await on(a);
      await step(third, reads(a, "f"));
      a.files.set("f", "A2");
      await step(third);
      await third.close();

      const fourth = await on(b);
      await step(fourth);

      expect([await versions(a.at("f")), await versions(b.at("f"))]).toEqual([
        ["A2", "A1"],
        ["B2", "B1"],
      ]);
      expect([await filesIn(third).catch(() => []), await filesIn(fourth)]).toEqual([
        [],
        [{ alias: "f1", path: "/B/f", text: "B2", pinned: false }],
      ]);
      await isSound(store);
    });

    it("write one session at once, and each shows what is at its own place", async () => {
      const { store, a, b, on, versions } = world(open(), openSets);
      a.files.set("f", "A1");
      b.files.set("f", "B1");
      const first = await on(a);
      await step(first, reads(a, "f"));
      const second = await on(b);
      await step(second, reads(b, "f"));
      await step(first);
      a.files.set("f", "A2");
      b.files.set("f", "B2");
      await step(first);
      await step(second);

      const shown = [await filesIn(first), await filesIn(second)].map((files) => files.map(({ text }) => text));
      expect(shown).toEqual([["A2"], ["B2"]]);
      expect([await versions(a.at("f")), await versions(b.at("f"))]).toEqual([
        ["A2", "A1"],
        ["B2", "B1"],
      ]);
      expect(await all(verifyStore(store))).toEqual([]);
    });

    it("keep their files apart where one is paused before a step says what it found", async () => {
      const { store, a, b, on, versions } = world(open());
      a.files.set("f", "of A");
      b.files.set("f", "of B");
      const left = await on(a);
      await step(left, reads(a, "f"));
      await left.close();
      await (await on(b)).close();

      const session = await on(b);
      await step(session);

      expect(session.view().log.filter(({ kind }) => kind === "resumed")).toMatchObject([
        { files: [{ before: "of A", after: "of B" }], paths: [{ was: "/A", now: "/B" }] },
      ]);
      expect(await filesIn(session)).toEqual([{ alias: "f1", path: "/B/f", text: "of B", pinned: false }]);
      expect([await versions(a.at("f")), await versions(b.at("f"))]).toEqual([["of A"], ["of B"]]);
      await isSound(store);
    });
  },
);

describe("a store that random machines share", () => {
  it("has no text in a file's history that was never at its place", async () => {
    await forSeeds({ short: 12, long: 1_000, file: "test/machines.test.ts" }, async (random) => {
      const store = createMemoryStore({ now: () => 1_700_000_000_000 });
      const machines = ["A", "B", "C"].map((name) => new MachineSource(name, `/${name}`));
      for (const one of machines) for (const other of machines) if (one !== other) one.relocate(other);
      const seen = new Map<string, Set<string>>();
      let count = 0;
      const write = (machine: MachineSource, name: string) => {
        // What they have in common is the same everywhere, as in a checkout.
        count += 1;
        const text = random.chance(0.3) ? `common ${random.below(2)}` : `${machine.machine} ${count}`;
        machine.files.set(name, text);
        const id = idOf(machine.at(name));
        seen.set(id, (seen.get(id) ?? new Set()).add(text));
      };
      for (let moves = 2 + random.below(5); moves > 0; moves -= 1) {
        const machine = random.pick(machines);
        const renderer = random.pick([openLog, openSets]);
        const session = await openOn(store, machine, renderer);
        for (let steps = random.below(5); steps > 0; steps -= 1) {
          const name = random.pick(["f", "g", "h"]);
          if (random.chance(0.5)) write(random.pick(machines), name);
          if (random.chance(0.1)) random.pick(machines).files.delete(name);
          await step(session, random.chance(0.6) ? reads(machine, name) : says("on"));
          if (random.chance(0.5)) await session.command(randomCommand(random));
        }
        await step(session);
        const left = snapshot(session);
        await (random.chance(0.7) ? session.close() : session.abandon());
        // Read back it is unchanged, on the same machine and before any scan.
        const again = await openOn(store, machine, renderer, { sweep: false });
        expect(snapshot(again)).toEqual(left);
        await again.abandon();
      }

      for (const { id, document } of await versionsOf(store, [{ type: "file" }])) {
        if (typeof document?.content === "string") expect(seen.get(id)).toContain(document.content);
      }
      const last = await openOn(store, random.pick(machines));
      const paths = (await filesIn(last)).map(({ path }) => path);
      expect(paths).toEqual([...new Set(paths)]);
      await isSound(store);
    });
  });
});

function world(store: ObjectStore, renderer: Renderer = openLog) {
  const a = new MachineSource("A", "/A");
  const b = new MachineSource("B", "/B").relocate(a);
  const on = (machine: MachineSource, session = "s") => openOn(store, machine, renderer, { session });
  const versions = async (source: FilesystemBinding) => {
    const { versions: found } = await store.history(idOf(source), { documents: true });
    return found.map(({ document }) => document?.content);
  };
  return { store, a, b, on, versions };
}

function openOn(
  store: ObjectStore,
  machine: MachineSource,
  renderer = openLog,
  options: Partial<OpenSessionOptions> = {},
): Promise<Session> {
  const base = { store, rendererFor, session: "s", layout: quietly(renderer), now: () => 1, owner: "test" };
  return openSession({ ...base, sources: [machine], ...options } as unknown as OpenSessionOptions);
}

async function step(session: Session, record: StepRecord = says("on")): Promise<void> {
  await session.assemble();
  await session.record(record);
}

let calls = 0;

function reads(machine: MachineSource, name: string): StepRecord {
  calls += 1;
  const touch = { binding: machine.at(name), as: "read", span: { startLine: 1 } } as const;
  return runs(result(`read ${calls}`, machine.files.get(name) ?? "", { files: [touch] }));
}

async function filesIn(session: Session) {
  const objects = await session.objects();
  return objects.flatMap(({ kind, alias, path, text, pinned }) =>
    kind === "file" ? [{ alias, path, text, pinned }] : [],
  );
}

/** Every prompt is rebuilt byte for byte, and every name leads somewhere. */
async function isSound(store: ObjectStore): Promise<void> {
  const rebuilt = await all(rebuildPrompts(store, "s", rendererFor));
  expect(rebuilt.filter(({ hash, recordedHash, complete }) => hash !== recordedHash || !complete)).toEqual([]);
  expect(await all(verifyStore(store))).toEqual([]);
}
