// @module-tag process
// Verifies: F14: the built command as a process: bytes, exit codes, broken pipes, interrupts.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { watch } from "node:fs/promises";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { cm, runCm } from "./support/run-cm.ts";
import { sampleFolder } from "./support/sample-file.ts";
import { hostileText } from "./support/sample-store.ts";

const sample = sampleFolder();

describe("the built command", () => {
  it("shows the help of a command that is named behind help", () => {
    const [named, whole] = [runCm(["help", "requests"]), runCm(["help"])];

    expect(named).toEqual(runCm(["requests", "--help"]));
    expect(whole).toEqual(runCm(["--help"]));
  });

  it("starts by itself and says what it can do", () => {
    const { status, stdout } = runCm(["--help"]);

    expect(readFileSync(cm, "utf8").split("\n")[0]).toBe("#!/usr/bin/env node");
    expect(status).toBe(0);
    for (const command of [
      "sessions",
      "show",
      "history",
      "diff",
      "at",
      "export",
      "import",
      "fork",
      "erase",
      "verify",
      "report",
    ]) {
      expect(stdout).toContain(`\n  ${command} `);
    }
  });

  it("prints a text byte for byte into a pipe", () => {
    const { status, stdout } = runCm(["show", "alpha", "f2"], { env: { CM_STORE: sample.store } });

    expect({ status, stdout }).toEqual({ status: 0, stdout: hostileText });
  });

  it("takes paths from where the user stands, also below npm run", () => {
    const options = { cwd: "/", env: { CM_STORE: basename(sample.store), CM_CALLER_FOLDER: sample.path } };

    expect(runCm(["sessions"], options)).toMatchObject({ status: 0, stderr: "" });
  });

  it("ends with the code of what went wrong, and one sentence", () => {
    expect(runCm(["show", "gone"], { env: { CM_STORE: sample.store } })).toMatchObject({
      ...{ status: 3, stdout: "", stderr: "cm: There is no session gone; `cm sessions` lists those there are.\n" },
    });
  });

  it("takes a bundle from standard input and leaves nothing of it behind", () => {
    const bundle = runCm(["export", "beta"], { env: { CM_STORE: sample.store } }).stdout;
    const folder = sample.at("tmp-of-import");
    mkdirSync(folder);

    const store = sample.at("imported.sqlite");
    const { status, stdout } = runCm(["--store", store, "import", "--create", "-"], {
      ...{ input: bundle, env: { TMPDIR: folder } },
    });

    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^Imported session beta /) });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("ends silently when the reader of its output stops", async () => {
    const child = spawn(process.execPath, [cm, "--store", sample.store, "export", "alpha"]);
    child.stdout.destroy();

    expect(await endOf(child)).toEqual({ code: 0, stderr: "" });
  });

  it("ends without a word on Ctrl-C, and takes its temporary files along", async () => {
    const folder = sample.at("tmp-of-interrupt");
    mkdirSync(folder);
    const spooling = firstName(folder);
    const child = spawn(process.execPath, [cm, "--store", sample.store, "import", "-"], {
      env: { ...process.env, TMPDIR: folder },
    });
    await spooling;
    child.kill("SIGINT");

    expect(await endOf(child)).toEqual({ code: 130, stderr: "" });
    expect(readdirSync(folder)).toEqual([]);
  });
});

/** Resolves when something appears in a folder. */
async function firstName(folder: string): Promise<void> {
  for await (const _ of watch(folder)) return;
}

async function endOf(child: ReturnType<typeof spawn>): Promise<{ code: number | null; stderr: string }> {
  let stderr = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const [code] = await once(child, "close");
  return { code, stderr };
}
