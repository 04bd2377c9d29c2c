import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The real git, by its absolute path. */
export function realGit(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, "git")).find((path) => existsSync(path));
  if (found === undefined) throw new Error("There is no git in PATH.");
  return found;
}

/** A program that writes down each call and then is git. */
export function recordedGit(folder: string): { readonly program: string; calls(): readonly string[] } {
  const log = join(folder, "calls.log");
  const program = script(
    folder,
    "recorded-git",
    `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${realGit()}' "$@"\n`,
  );
  const before = /^--no-pager(?: -c \S+)* /;
  return {
    program,
    calls: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => line.replace(before, ""))
        : [],
  };
}

/**
 * A program that is git for every command but the long-lived one, for which it is `body`, in JavaScript. `count` says
 * how often it was started before.
 */
export function falseCatFile(folder: string, body: string): string {
  return falseGit(
    folder,
    `const { appendFileSync, statSync, existsSync } = require("node:fs");
if (!process.argv.includes("cat-file")) pass();
else {
  const starts = ${JSON.stringify(join(folder, "starts"))};
  const count = existsSync(starts) ? statSync(starts).size : 0;
  appendFileSync(starts, ".");
  ${body}
}`,
  );
}

/** A program in JavaScript in the place of git; \`pass()\` makes it git after all. */
export function falseGit(folder: string, body: string): string {
  const pass = `const { spawn } = require("node:child_process");
const pass = () => {
  const git = spawn(${JSON.stringify(realGit())}, process.argv.slice(2), { stdio: "inherit" });
  git.on("exit", (code) => process.exit(code ?? 1));
};`;
  return script(folder, "false-git", `#!${process.execPath}\n${pass}\n${body}\n`);
}

function script(folder: string, name: string, text: string): string {
  const program = join(folder, name);
  writeFileSync(program, text);
  chmodSync(program, 0o755);
  return program;
}
