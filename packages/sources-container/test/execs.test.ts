// @module-tag process
// Verifies: SSOT 5.11: how often a container is entered, and what is made of what it says.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createContainerSource, limits } from "../src/index.ts";
import { reasons } from "../src/reasons.ts";
import { openContainer, toldOf } from "./support/opened.ts";

describe("a look into a container", () => {
  let box: ReturnType<typeof openContainer>;
  beforeEach(() => {
    box = openContainer();
  });
  afterEach(() => box.close());

  it("takes one exec for all files of a batch, and none for what is refused here", async () => {
    const paths = Array.from({ length: 40 }, (_, n) => join(box.folder, `${n}.txt`));
    for (const path of paths.slice(0, 30)) writeFileSync(path, path);

    const answers = await box.look(paths);
    const refused = await box.look(["/proc/self/environ", "/etc/hosts"]);

    expect(answers.map(toldOf)).toEqual(paths.map((path, n) => (n < 30 ? `text: ${path}` : "absent")));
    expect(refused.map(toldOf)).toEqual([reasons.kernel, reasons.outside]);
    expect(box.engine.execs).toBe(1);
  });

  it("takes more where the names do not fit on one command line", async () => {
    const long = "x".repeat(240);
    const paths = Array.from({ length: 400 }, (_, n) => join(box.folder, `${long}-${n}`));
    writeFileSync(paths[399] ?? "", "last");

    const answers = await box.look(paths);

    expect(answers.map(toldOf)).toEqual(paths.map((_, n) => (n < 399 ? "absent" : "text: last")));
    expect(box.engine.execs).toBe(Math.ceil((400 * (paths[0]?.length ?? 0)) / limits.argumentBytesMax));
  });

  it("tells a container that is stopped from a file that is gone", async () => {
    const path = join(box.folder, "a.txt");
    box.engine.stop();
    const stopped = await box.look([path], { absent: true });
    box.engine.start();

    expect([...stopped, ...(await box.look([path]))].map(toldOf)).toEqual([reasons.notRunning, "absent"]);
  });
});

describe("an engine", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cm-engine-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function saidBy(script: string | undefined, deadlineMs = 60_000): Promise<string> {
    const program = join(folder, "engine");
    if (script !== undefined) writeFileSync(program, `#!/bin/sh\n${script}\n`);
    if (script !== undefined) chmodSync(program, 0o755);
    const source = createContainerSource({ containers: [{ id: "box", command: [program, "exec", "box"] }] });
    const requests = [{ binding: source.bind({ container: "box", path: "/a.txt" }) }];
    const [answer] = await source.observe(requests, { contentBytesMax: 100, deadlineMs });
    await source.close();
    return toldOf(answer);
  }

  it.each([
    ["is not installed", undefined, reasons.noEngine],
    [
      "has no such container",
      "echo 'Error response from daemon: No such container: box' >&2; exit 1",
      reasons.noContainer,
    ],
    [
      "has paused it",
      "echo 'Error response from daemon: Container box is paused, unpause first' >&2; exit 1",
      reasons.notRunning,
    ],
    [
      "is away",
      "echo 'Cannot connect to the Docker daemon at unix:///run/docker.sock.' >&2; exit 1",
      reasons.engineAway,
    ],
    [
      "finds no shell",
      `echo 'OCI runtime exec failed: exec: "sh": executable file not found in $PATH' >&2; exit 127`,
      reasons.noShell,
    ],
    ["says nothing", "exit 0", reasons.execUnclear],
    ["fails without a word", "exit 3", reasons.execEnded],
    ["talks without end", "exec yes", reasons.execUnclear],
    ["says another's answer", `echo 'other absent'`, reasons.execUnclear],
  ])("that %s is unreachable", async (_title, script, reason) => {
    expect(await saidBy(script)).toBe(reason);
  });

  it("that hangs is unreachable", async () => {
    expect(await saidBy("exec tail -f /dev/null", 1_000)).toBe(reasons.timedOut);
  });

  // The mark is the ninth word after `exec box`: sh -c SCRIPT cm SECONDS SCRIPT MARK.
  it.each([
    ["bytes that are not those that were hashed", `echo "$9 text ${"0".repeat(64)} 3"; echo abc`, reasons.changing],
    ["fewer bytes than it said", `echo "$9 text ${"0".repeat(64)} 30"; echo abc`, reasons.execUnclear],
    ["a hash that is none", `echo "$9 text zero 3"; echo abc`, reasons.execUnclear],
    ["a container without its programs", `echo "$9 lacking"`, reasons.noPrograms],
  ])("that gives %s is believed nothing", async (_title, script, reason) => {
    expect(await saidBy(script)).toBe(reason);
  });

  it("gets none of the caller's variables but those that say where it is", async () => {
    process.env.CM_TEST_SECRET = "secret";
    process.env.DOCKER_HOST = "unix:///somewhere";

    const answer = await saidBy(
      `[ "$DOCKER_HOST" = unix:///somewhere ] && [ -z "$CM_TEST_SECRET" ] && echo "$9 absent"`,
    );
    delete process.env.CM_TEST_SECRET;
    delete process.env.DOCKER_HOST;

    expect(answer).toBe("absent");
  });
});
