// @module-tag process
// Verifies: completion in a real bash; the scripts for zsh and fish are read by those shells where they are there.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { CommandRun } from "../src/command-line.ts";
import { bashCompletion } from "../src/completion/bash.ts";
import { describeProgram } from "../src/completion/describe-program.ts";
import { fishCompletion } from "../src/completion/fish.ts";
import { zshCompletion } from "../src/completion/zsh.ts";
import { createProgram } from "../src/program.ts";
import { processWorld } from "../src/world.ts";
import { inProcess } from "./support/in-process.ts";
import { cm } from "./support/run-cm.ts";
import { sampleFolder } from "./support/sample-file.ts";

const sample = sampleFolder();
const described = describeProgram(createProgram(new CommandRun(processWorld())));
const isThere = (shell: string) => spawnSync(shell, ["-c", "exit 0"]).status === 0;

/** What bash offers for each of these lines, the last word being typed. */
function offered(lines: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const asked = lines.map(
    (words) =>
      `COMP_WORDS=(cm ${words.map(quoted).join(" ")}); COMP_CWORD=${words.length}; _cm; echo "> \${COMPREPLY[*]}"`,
  );
  const script = [`cm() { ${quoted(process.execPath)} ${quoted(cm)} "$@"; }`, bashCompletion(described), ...asked].join(
    "\n",
  );
  const { stdout, stderr } = spawnSync("bash", ["--norc"], { input: script, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) =>
      line
        .slice(2)
        .split(" ")
        .filter((word) => word !== ""),
    );
}

requirement("bash", () => isThere("bash"))("completion in bash", () => {
  it("offers what a report can be told", () => {
    expect(
      offered([
        ["report", "--p"],
        ["report", "--prices", "anthropic"],
        ["report", "--prices", "gemini"],
      ]),
    ).toEqual([
      ["--prices", "--per-million"],
      ["anthropic5m", "anthropic1h"],
      ["geminiAtFirst", "gemini"],
    ]);
  });

  it("offers commands, options, values, and sessions of the store that is meant", () => {
    const store = ["--store", sample.store];

    const [commands, options, shells, sessions, begun, values, nothing, sources] = offered([
      ["e"],
      ["erase", "--r"],
      ["completion", ""],
      [...store, "show", ""],
      [...store, "fork", "al"],
      [...store, "history", "--session", ""],
      ["erase", "--reason", ""],
      ["files", "--source", ""],
    ]);

    expect(commands).toEqual(["export", "erase"]);
    expect(options).toEqual(["--reason"]);
    expect(shells).toEqual(["bash", "zsh", "fish"]);
    expect(sessions).toEqual(["alpha", "beta"]);
    expect(begun).toEqual(["alpha"]);
    expect(values).toEqual(["alpha", "beta"]);
    expect(nothing).toEqual([]);
    expect(sources).toEqual(["filesystem", "git", "s3"]);
  });
});

describe("the scripts", () => {
  it.each(["bash", "zsh", "fish"])("name every command for %s", async (shell) => {
    const { status, stdout } = await inProcess(["completion", shell]);

    expect(status).toBe(0);
    for (const { name } of described.commands) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

requirement("zsh", () => isThere("zsh"))("completion in zsh", () => {
  it("is a script that zsh can read", () => {
    writeFileSync(sample.at("_cm"), zshCompletion(described));

    expect(spawnSync("zsh", ["-n", sample.at("_cm")], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  });
});

requirement("fish", () => isThere("fish"))("completion in fish", () => {
  it("offers commands, and sessions of the store that is meant", () => {
    const ask = (line: string) => `complete -C 'cm ${line}' | string split -f 1 \\t`;
    const script = [
      `function cm; ${process.execPath} ${cm} $argv; end`,
      fishCompletion(described),
      ask("comp"),
      ask(`--store ${sample.store} show `),
    ].join("\n");

    const { stdout, stderr } = spawnSync("fish", ["--no-config", "-c", script], { encoding: "utf8" });
    expect(stderr).toBe("");

    expect(stdout.trim().split("\n").sort()).toEqual(["alpha", "beta", "compact", "completion"]);
  });
});
