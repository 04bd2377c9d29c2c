// @module-tag process
// Verifies: F1, T7, T11: what the commands that write leave when they are killed at a write, each time in the middle.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callsOnDisk, setDisk } from "../../../../tools/failing-disk/disk-control.ts";
import { type FailingDisk, failingDisk, withFailingDisk } from "../../../../tools/failing-disk/failing-disk.ts";
import { inProcess } from "../support/in-process.ts";
import { bare, cm } from "../support/run-cm.ts";
import { type All, allOf } from "./support/all-of.ts";
import { fillStore, secret, secretPath } from "./support/filled-store.ts";

const isCampaign = process.env.CM_CAMPAIGN === "1";
const kills = isCampaign ? 100 : 2;
const steps = isCampaign ? 24 : 6;

const root = mkdtempSync(join(tmpdir(), "cm-killed-"));
const [work, folder] = [join(root, "work"), join(root, "store")];
const [written, bundle, store] = [
  join(work, "written.sqlite"),
  join(work, "other.cmb"),
  join(folder, "objects.sqlite"),
];

interface Killed {
  readonly command: string;
  readonly args: readonly string[];
  /** What may be there after a kill: as before or as after, or a part of what it adds. */
  readonly leaves: "all or nothing" | "a part";
  /** What doing it again may end with. */
  readonly again: readonly number[];
}

const commands: readonly Killed[] = [
  { command: "import", args: [bundle], leaves: "a part", again: [0] },
  { command: "compact", args: [], leaves: "all or nothing", again: [0] },
  // Not found: it was erased already.
  {
    command: "erase",
    args: [secretPath, "--calls", "--reason", "a secret", "--yes"],
    leaves: "all or nothing",
    again: [0, 3],
  },
  // Refused: there is such a session already.
  { command: "fork", args: ["alpha@5", "--as", "gamma"], leaves: "all or nothing", again: [0, 4] },
];

withFailingDisk(`of ${kills} kills each within what a command writes`, () => {
  let disk: FailingDisk;
  let before: All;

  beforeAll(async () => {
    for (const made of [work, folder]) mkdirSync(made);
    disk = failingDisk(folder, work);
    await fillStore(written, "alpha", steps);
    const other = join(work, "other.sqlite");
    await fillStore(other, "beta", steps);
    await inProcess(["--store", other, "export", "beta", "-o", bundle]);
    before = await allOf(written);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it.each(commands)("cm $command leaves $leaves, and does it when it is asked again", killAll);

  async function killAll(killed: Killed): Promise<void> {
    const { command, args, leaves } = killed;
    const words = [command, ...args];
    fresh();
    expect(run(words)).toMatchObject({ status: 0 });
    const writes = callsOnDisk(disk.control);
    const after = await allOf(store);
    const killedAt = async (at: number, fault: "kill" | "half, then kill") => {
      const where = `${command} killed at write ${at} of ${writes} (${fault})`;
      fresh();
      setDisk(disk.control, { fault, at });
      // Nothing but the library kills it, so each of these was in the middle.
      const { signal, stdout } = run(words);
      setDisk(disk.control, undefined);
      expect(signal, where).toBe("SIGKILL");

      const is = compared(await allOf(store), { before, after, leaves }, where);
      // Killed while it tidied up: what it said is so.
      if (stdout !== "") expect(is, where).toBe("asAfter");
      await repeat(killed, { after, where });
      return is;
    };

    let [none, some] = [0, writes];
    for (let kill = 0; kill < kills; kill += 1) {
      const at = 1 + Math.floor((kill * writes) / kills);
      const is = await killedAt(at, kill % 2 === 0 ? "kill" : "half, then kill");
      if (is === "asBefore") none = Math.max(none, at);
      else some = Math.min(some, at);
    }
    // Between two of those kills lies the first write that leaves something: a commit of few writes would be missed.
    let first: string = "asAfter";
    while (some - none > 1) {
      const at = Math.floor((none + some) / 2);
      const is = await killedAt(at, "kill");
      if (is === "asBefore") none = at;
      else [some, first] = [at, is];
    }
    if (command === "import") expect(first, `killed at write ${some} of ${writes}`).toBe("inPart");
  }

  async function repeat({ command, args, again }: Killed, { after, where }: { after: All; where: string }) {
    const { status, stderr } = await inProcess(["--store", store, command, ...args]);
    expect(again, `${where}: ${stderr}`).toContain(status);
    expect(await allOf(store), where).toEqual(after);
    expect(readdirSync(folder), where).toEqual(["objects.sqlite"]);
    if (command === "erase") expect(readFileSync(store).includes(secret), where).toBe(false);
  }

  function run(words: readonly string[]) {
    const { status, signal, stdout } = spawnSync(process.execPath, [cm, "--store", store, ...words], {
      env: { ...bare, ...disk.env },
      encoding: "utf8",
    });
    return { status, signal, stdout };
  }

  function fresh(): void {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    copyFileSync(written, store);
    setDisk(disk.control, undefined);
  }
});

interface Ends {
  readonly before: All;
  readonly after: All;
  readonly leaves: Killed["leaves"];
}

/** Fails if data is lost, if there is data that was never written, or if there is damage. */
function compared(now: All, { before, after, leaves }: Ends, where: string): "asBefore" | "asAfter" | "inPart" {
  const is = (all: All) => JSON.stringify(all) === JSON.stringify(now);
  if (is(before)) return "asBefore";
  if (is(after)) return "asAfter";
  expect(leaves, where).toBe("a part");
  const [there, possible] = [new Set(now.versions), new Set(after.versions)];
  expect(
    before.versions.filter((version) => !there.has(version)),
    where,
  ).toEqual([]);
  expect(
    now.versions.filter((version) => !possible.has(version)),
    where,
  ).toEqual([]);
  // The session that is there already is whole, and the other is not there yet.
  expect(now.prompts, where).toEqual(before.prompts);
  return "inPart";
}
