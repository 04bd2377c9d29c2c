// @module-tag process
// Verifies: SSOT 3.11, 2.8, F13: an import that was killed is said by `verify` and `doctor`, and over once it is repeated.
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { piSession } from "./support/recorded-session.ts";
import { jsonLines, runCm } from "./support/run-cm.ts";
import { sampleFolder } from "./support/sample-file.ts";
import * as shapes from "./support/shapes.ts";

const sample = sampleFolder();

/** Loaded before `cm`: the process kills itself at one commit, as `kill -9` would, or counts them. */
const killer = `data:text/javascript,${encodeURIComponent(`
  import { StatementSync } from "node:sqlite";
  const { run } = StatementSync.prototype;
  let commits = 0;
  StatementSync.prototype.run = function (...values) {
    if (this.sourceSQL === "COMMIT" && ++commits === Number(process.env.KILLED_AT)) process.kill(process.pid, "SIGKILL");
    return run.apply(this, values);
  };
  process.on("exit", () => process.env.KILLED_AT === undefined && process.stderr.write("commits " + commits));
`)}`;

describe("cm import that was killed", () => {
  it("is no damage: verify and doctor say what it was and what to do, and repeating it ends it", async () => {
    const bundle = sample.at("alpha.cmb");
    const store = sample.at("killed.sqlite");
    const cm = (...args: string[]) => inProcess(["--store", store, ...args]);
    await inProcess(["--store", sample.store, "export", "alpha", "-o", bundle]);
    const preloaded = { NODE_OPTIONS: `--import ${JSON.stringify(killer)}` };
    const whole = runCm(["--store", sample.at("whole.sqlite"), "import", "--create", bundle], { env: preloaded });
    const commits = Number(/commits (\d+)$/.exec(whole.stderr)?.[1]);
    const env = { ...preloaded, KILLED_AT: `${commits - 1}` };

    const killed = runCm(["--store", store, "import", "--create", bundle], { env });
    const verified = await cm("verify");
    const lines = jsonLines((await cm("verify", "--json")).stdout);
    const doctor = await cm("doctor");
    const again = await cm("import", bundle);
    const after = [await cm("verify"), await cm("doctor")];

    expect(killed.status).toBe(null);
    expect(verified.status).toBe(7);
    expect(verified.stdout).toBe("unfinished  session:alpha  an import of session alpha was not finished; repeat it\n");
    expect(verified.stderr).toMatch(/ checked: nothing is damaged; repeat what was not finished\.\n$/);
    expect(lines.slice(0, -1).map((line) => shapes.finding.parse(line).damage)).toEqual([false]);
    expect(shapes.verified.parse(lines.at(-1))).toMatchObject({ damaged: 0, unfinished: 1 });
    expect(doctor.status).toBe(0);
    expect(doctor.stdout).toContain(
      "warn  import: An import of session alpha was not finished\n      Nothing is damaged. Run cm import with the same",
    );
    expect(again.stdout).toMatch(/^Imported session alpha/);
    expect(after.map(({ status }) => status)).toEqual([0, 0]);
    expect(after[1]?.stdout).not.toContain("import:");
  });

  it("is said likewise where it read an agent's file", async () => {
    const file = sample.at("pi.jsonl");
    const turn = { tool: "bash", args: { command: "make" }, output: "Done." };
    writeFileSync(
      file,
      piSession(
        "pi-1",
        Array.from({ length: 120 }, () => turn),
      ),
    );
    const preloaded = { NODE_OPTIONS: `--import ${JSON.stringify(killer)}` };
    const into = (name: string) => ["--store", sample.at(name), "import", "--create", file];
    const whole = runCm(into("whole-file.sqlite"), { env: preloaded });
    const commits = Number(/commits (\d+)$/.exec(whole.stderr)?.[1]);
    const inStore = (name: string, ...args: string[]) => inProcess(["--store", sample.at(name), ...args]);
    const cm = (...args: string[]) => inStore("killed-file.sqlite", ...args);

    const killed = runCm(into("killed-file.sqlite"), { env: { ...preloaded, KILLED_AT: `${commits - 1}` } });
    const verified = await cm("verify");
    const doctor = await cm("doctor");
    const again = await cm("import", file);
    const after = [await cm("verify"), await cm("doctor"), await inStore("whole-file.sqlite", "verify")];

    expect(killed.status).toBe(null);
    expect(verified.status).toBe(7);
    expect(verified.stdout).toMatch(
      /^unfinished {2}session:pi-1 {2}an import of session pi-1 was not finished; repeat it\n$/,
    );
    expect(doctor.stdout).toContain("warn  import: An import of session pi-1 was not finished\n");
    expect(again.status).toBe(0);
    expect(after.map(({ status }) => status)).toEqual([0, 0, 0]);
    expect(after[1]?.stdout).not.toContain("import:");
  });
});
