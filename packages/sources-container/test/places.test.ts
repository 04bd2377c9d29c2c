// @module-tag process
// Verifies: SSOT 5.9, 5.10, 5.11: what is opened, and what absent means.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createContainerSource } from "../src/index.ts";
import { reasons } from "../src/reasons.ts";
import { openContainer, toldOf } from "./support/opened.ts";

describe("a path in a container", () => {
  let box: ReturnType<typeof openContainer>;
  beforeEach(() => {
    box = openContainer({ roots: ["open", "gone"] });
    mkdirSync(join(box.folder, "open/deep"), { recursive: true });
    mkdirSync(join(box.folder, "shut"));
    writeFileSync(join(box.folder, "open/deep/a.txt"), "a");
    writeFileSync(join(box.folder, "shut/secret.txt"), "secret");
  });
  afterEach(() => box.close());

  const told = async (...names: string[]) => (await box.look(names.map((name) => join(box.folder, name)))).map(toldOf);

  it("is opened below the roots alone, also where links lead out of them", async () => {
    symlinkSync("../shut", join(box.folder, "open/way"));
    symlinkSync("../shut/secret.txt", join(box.folder, "open/link.txt"));
    symlinkSync("/proc/self/environ", join(box.folder, "open/kernel.txt"));

    expect(
      await told("shut/secret.txt", "open/way/secret.txt", "open/link.txt", "open/way/none.txt", "open/kernel.txt"),
    ).toEqual(Array.from({ length: 5 }, () => reasons.outside));
  });

  it("is followed through links that stay below them", async () => {
    symlinkSync("deep", join(box.folder, "open/current"));
    symlinkSync("deep/a.txt", join(box.folder, "open/same.txt"));

    expect(await told("open/current/a.txt", "open/same.txt", "open/current/b.txt")).toEqual([
      "text: a",
      "text: a",
      "absent",
    ]);
  });

  it("is no answer where it is no regular file", async () => {
    symlinkSync("nowhere", join(box.folder, "open/broken"));
    execFileSync("mkfifo", [join(box.folder, "open/pipe")]);

    expect(await told("open/deep", "open/pipe", "open/broken", "open/broken/below")).toEqual([
      reasons.folder,
      reasons.special,
      reasons.brokenLink,
      reasons.brokenLink,
    ]);
  });

  it("is absent only where the folders above it say so", async () => {
    expect(await told("open/none", "open/no/folder/none", "open/deep/a.txt/below", "gone/a.txt")).toEqual([
      "absent",
      "absent",
      "absent",
      reasons.noRoot,
    ]);
  });

  it("is out of reach below a folder that may not be entered", async () => {
    // A privileged user may enter every folder, so the container then runs as the user `nobody`.
    const asNobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];
    const command = process.getuid?.() === 0 ? asNobody : ["env"];
    chmodSync(box.folder, 0o755);
    chmodSync(join(box.folder, "open/deep"), 0);
    const source = createContainerSource({ containers: [{ id: "own", command, roots: [box.folder] }] });
    const requests = ["open/deep/a.txt", "open/deep/none", "open/none"].map((name) => ({
      binding: source.bind({ container: "own", path: join(box.folder, name) }),
    }));

    const answers = await source.observe(requests, { contentBytesMax: 100, deadlineMs: 300_000 });
    chmodSync(join(box.folder, "open/deep"), 0o755);

    expect(answers.map(toldOf)).toEqual([reasons.denied, reasons.denied, "absent"]);
  });

  it("is never part of a command", async () => {
    const names = [
      "$(touch hit)",
      "`touch hit`",
      "a;touch hit",
      "-n",
      "--",
      "*",
      "a\nb",
      "a'b\"c\\d",
      "x\n",
      " ",
      "é\u2028",
    ];
    for (const name of names) writeFileSync(join(box.folder, "open", name), `text of ${name}`);

    expect(await told(...names.map((name) => `open/${name}`))).toEqual(names.map((name) => `text: text of ${name}`));
    rmSync(join(box.folder, "open", "*"));
    expect(await told("open/*", "open/hit", "open/deep/*")).toEqual(["absent", "absent", "absent"]);
  });
});
