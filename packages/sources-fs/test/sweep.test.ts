// @module-tag process
// Verifies: SSOT 5.6, 5.11, F8: what is unchanged is told by its attributes, and a change is never taken for that.
import { lstatSync, mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KnownState, Observation } from "@cm/object-model";
import { fileLimits } from "@cm/sources-fs";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { freshFolder, rootAndOutside } from "./support/folder.ts";
import { savingThread } from "./support/saving-thread.ts";
import { at, bounds, look, openSource, present } from "./support/source.ts";

/** The state as it would be after a look at a file that had been left alone for long. */
function calm({ hint = "", ...state }: KnownState): KnownState {
  return { ...state, hint: hint.replace(/racy$/, "calm") };
}

/** Writes until the change time moves: a coarse clock may give two writes one time. */
function rewrite(path: string, text: string): void {
  const { ctimeNs } = lstatSync(path, { bigint: true });
  do writeFileSync(path, text);
  while (lstatSync(path, { bigint: true }).ctimeNs === ctimeNs);
}

/** Writes and looks anew until the look came before the file was calm, which a busy machine may miss. */
async function lookedAtInTime(path: string, writeAndLook: () => Promise<KnownState>): Promise<KnownState> {
  for (;;) {
    const state = await writeAndLook();
    if (Date.now() - lstatSync(path).ctimeMs < fileLimits.racyMs) return state;
  }
}

function stateOf(observation: Observation): KnownState {
  if (observation.kind !== "unchanged") throw new Error(`The file is ${observation.kind}, and not unchanged.`);
  return observation.state;
}

describe("the sweep", () => {
  it("finds every rewrite of the same size right after a look", async () => {
    const root = freshFolder();
    const path = join(root, "file");
    writeFileSync(path, "text 000");
    const source = openSource(root);
    let { state } = await present(source, path);

    for (let n = 1; n < 300; n += 1) {
      const text = `text ${String(n).padStart(3, "0")}`;
      writeFileSync(path, text);
      const found = await present(source, path, state);
      expect(found.content).toMatchObject({ text });
      ({ state } = found);
    }
  });

  it("finds a rewrite whose time of modification was set back", async () => {
    const root = freshFolder();
    const path = join(root, "file");
    writeFileSync(path, "before");
    utimesSync(path, 1_000_000_000, 1_000_000_000);
    const source = openSource(root);
    const known = calm((await present(source, path)).state);
    expect(await look(source, path, { known })).toEqual({ kind: "unchanged", state: known });

    rewrite(path, "after!");
    utimesSync(path, 1_000_000_000, 1_000_000_000);

    expect(await present(source, path, known)).toMatchObject({ content: { text: "after!" } });
  });

  it("finds a file that another one of the same size and time was renamed over", async () => {
    const root = freshFolder();
    const [path, other] = [join(root, "file"), join(root, "other")];
    writeFileSync(path, "before");
    writeFileSync(other, "after!");
    for (const each of [path, other]) utimesSync(each, 1_000_000_000, 1_000_000_000);
    const source = openSource(root);
    const known = calm((await present(source, path)).state);

    renameSync(other, path);

    expect(await present(source, path, known)).toMatchObject({ content: { text: "after!" } });
  });

  it("reads a file again as long as it is racy, and says unchanged", async () => {
    const root = freshFolder();
    const path = join(root, "file");
    const source = openSource(root);
    const state = await lookedAtInTime(path, async () => {
      writeFileSync(path, "text");
      return (await present(source, path)).state;
    });

    const again = await look(source, path, { known: state });

    expect(state.hint).toMatch(/racy$/);
    expect(again).toMatchObject({ kind: "unchanged", state: { sourceHash: state.sourceHash } });
  });

  it("gives a state back as long as all it says holds: a session would keep another one for each look", async () => {
    const root = freshFolder();
    const path = join(root, "file");
    const source = openSource(root);
    let state: KnownState = {};
    const again = await lookedAtInTime(path, async () => {
      writeFileSync(path, "text");
      ({ state } = await present(source, path));
      return stateOf(await look(source, path, { known: state }));
    });
    utimesSync(path, 1_000_000_000, 1_000_000_000);
    const touched = stateOf(await look(source, path, { known: state }));

    expect(again).toBe(state);
    expect(touched.sourceHash).toBe(state.sourceHash);
    expect(touched.hint).not.toBe(state.hint);
  });

  it("reads a file again that was just written and whose time of modification was set back", async () => {
    const root = freshFolder();
    const path = join(root, "file");
    const source = openSource(root);
    const state = await lookedAtInTime(path, async () => {
      writeFileSync(path, "text");
      utimesSync(path, 1_000_000_000, 1_000_000_000);
      return (await present(source, path)).state;
    });
    const known = { ...state, sourceHash: "of a text that the same attributes had a moment ago" };

    expect(await present(source, path, known)).toMatchObject({ content: { text: "text" } });
  });

  it("does not read a file whose attributes are those of an older look", async () => {
    const root = freshFolder();
    const path = join(root, "file");
    writeFileSync(path, "text");
    const source = openSource(root);
    const { state } = await present(source, path);
    const known = { ...calm(state), sourceHash: "what it would not find by reading" };

    for (let n = 0; n < 3; n += 1) {
      expect(await look(source, path, { known })).toEqual({ kind: "unchanged", state: known });
    }
  });

  it("compares with the state it is given, not with the newest it gave", async () => {
    const root = freshFolder();
    const path = join(root, "file");
    writeFileSync(path, "one");
    const source = openSource(root);
    const first = await present(source, path);
    writeFileSync(path, "two");
    const second = await present(source, path, first.state);

    expect(await present(source, path, first.state)).toMatchObject({ content: { text: "two" } });
    expect(await look(source, path, { known: second.state })).toMatchObject({ kind: "unchanged" });
    writeFileSync(path, "one");
    expect(await look(source, path, { known: first.state })).toMatchObject({ kind: "unchanged" });
    expect(await present(source, path, second.state)).toMatchObject({ content: { text: "one" } });
  });

  it("takes no state of one file for that of another", async () => {
    const root = freshFolder();
    for (const name of ["a", "b"]) writeFileSync(join(root, name), name);
    const source = openSource(root);
    const { state } = await present(source, join(root, "a"));

    expect(await present(source, join(root, "b"), state)).toMatchObject({ content: { text: "b" } });
    expect(await present(source, join(root, "b"), calm(state))).toMatchObject({ content: { text: "b" } });
    expect(await present(source, join(root, "b"), { ...state, hint: "of another source" })).toMatchObject({
      content: { text: "b" },
    });
  });

  it("answers a batch of all kinds in order, over and over", async () => {
    const root = freshFolder();
    const random = createRandom(7);
    const paths = Array.from({ length: 200 }, (_, n) => join(root, `${n % 7}`, `${n}`));
    for (const path of paths) mkdirSync(join(path, ".."), { recursive: true });
    const texts = new Map<string, string>();
    const states = new Map<string, KnownState>();
    const source = openSource(root);

    for (let round = 0; round < 20; round += 1) {
      for (const path of paths.filter(() => random.chance(0.3))) {
        texts.set(path, `${random.below(3)}`);
        writeFileSync(path, texts.get(path) ?? "");
      }
      const asked = random.shuffled(paths).filter((path) => texts.has(path));
      const answers = await source.observe(
        asked.map((path) => ({ binding: at(path), ...knownOf(states.get(path)) })),
        bounds,
      );
      for (const [n, path] of asked.entries()) checkAnswer(path, answers[n]);
    }

    function checkAnswer(path: string, answer: Observation | undefined): void {
      if (answer?.kind !== "present" && answer?.kind !== "unchanged") throw new Error("It was there.");
      if (answer.kind === "present") expect(answer.content).toMatchObject({ text: texts.get(path) });
      else expect(states.get(path)?.sourceHash).toBe(answer.state.sourceHash);
      states.set(path, random.chance(0.5) ? answer.state : { ...answer.state });
    }
  });
});

function knownOf(known: KnownState | undefined): { readonly known?: KnownState } {
  return known === undefined ? {} : { known };
}

describe("a save in several steps", () => {
  it("is never taken for an absence", async () => {
    const { root, outside } = rootAndOutside();
    const path = join(root, "file");
    writeFileSync(path, "0");
    const source = openSource(root);
    const saves = savingThread(path, join(outside, "other"));
    const requests = Array.from({ length: 20 }, () => ({ binding: at(path) }));
    await source.observe(requests, bounds);

    for (let seen = 0; seen < 8; ) {
      const { longestGapMs } = await saves();
      const kinds = new Set((await source.observe(requests, bounds)).map(({ kind }) => kind));
      // Of a file that is gone for longer than two looks are apart, an absence is what there is: a busy machine may stop a
      // save in its middle for so long.
      if ((await longestGapMs()) >= fileLimits.confirmMs) continue;
      expect([...kinds]).toEqual(["present"]);
      seen += 1;
    }
  });
});
