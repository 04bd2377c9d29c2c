// @module-tag process
// Verifies: T8, SSOT 5.11: a link swapped in between check and use gives a reason, never content.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "@cm/object-model";
import { expect, it } from "vitest";
import { besides } from "./support/child.ts";
import { rootAndOutside } from "./support/folder.ts";
import { at, bounds, openSource } from "./support/source.ts";

const races = process.env.CM_CAMPAIGN === "1" ? 20_000 : 800;

/**
 * Looks at one path over and over, in batches, since those share the wait for a file that is missing; until a look met
 * a link at least once.
 */
async function lookOften(root: string, path: string): Promise<readonly Observation[]> {
  const source = openSource(root);
  const answers: Observation[] = [];
  while (answers.length < races || !answers.some(({ kind }) => kind === "unreachable")) {
    const requests = Array.from({ length: 30 }, (_, n) => ({
      binding: at(path),
      ...(n % 3 === 0 ? { want: "existence" as const } : {}),
    }));
    answers.push(...(await source.observe(requests, bounds)));
  }
  return answers;
}

function textsOf(answers: readonly Observation[]): ReadonlySet<string> {
  return new Set(
    answers.flatMap((answer) => (answer.kind === "present" && "text" in answer.content ? [answer.content.text] : [])),
  );
}

it("never gives what a file's link leads to", async () => {
  const { root, outside } = rootAndOutside();
  const [file, secret] = [join(root, "file"), join(outside, "file")];
  writeFileSync(file, "inside");
  writeFileSync(secret, "outside");
  await besides(
    `fs.symlinkSync(secret, file + ".new");
     fs.renameSync(file + ".new", file);
     fs.writeFileSync(file + ".new", "inside");
     fs.renameSync(file + ".new", file);`,
    { file, secret },
  );

  const answers = await lookOften(root, file);

  expect([...textsOf(answers)].filter((text) => text !== "inside")).toEqual([]);
});

it("never gives what a folder's link leads to", async () => {
  const { root, outside } = rootAndOutside();
  const folder = join(root, "a/b");
  mkdirSync(join(folder, "c"), { recursive: true });
  mkdirSync(join(outside, "c"));
  writeFileSync(join(folder, "c/file"), "inside");
  writeFileSync(join(outside, "c/file"), "outside");
  await swapBesides(folder, outside);

  const answers = await lookOften(root, join(folder, "c/file"));

  expect([...textsOf(answers)].filter((text) => text !== "inside")).toEqual([]);
});

it("never gives what lies in a root that became a link", async () => {
  const { root, outside } = rootAndOutside();
  writeFileSync(join(root, "file"), "inside");
  writeFileSync(join(outside, "file"), "outside");
  await swapBesides(root, outside);

  const answers = await lookOften(root, join(root, "file"));

  expect([...textsOf(answers)].filter((text) => text !== "inside")).toEqual([]);
});

/** A second process that again and again puts a link to another folder in a folder's place. */
function swapBesides(folder: string, outside: string): Promise<void> {
  return besides(
    `fs.renameSync(folder, folder + ".away");
     fs.symlinkSync(outside, folder);
     fs.unlinkSync(folder);
     fs.renameSync(folder + ".away", folder);`,
    { folder, outside },
  );
}
