// @module-tag process
import { spawn } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { members, root } from "./workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "cm dev "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isNoBuild = (path: string): boolean => !/[/\\](dist|lib)$/.test(path);

/** The workspace with everything but its builds. */
function copyUnbuilt(): void {
  for (const path of [
    "package.json",
    "pnpm-workspace.yaml",
    "tsconfig.base.json",
    "vitest.config.ts",
    "vitest.shared.ts",
    "tools",
  ]) {
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isNoBuild });
  }
  for (const { folder: member } of members) {
    mkdirSync(join(folder, member), { recursive: true });
    cpSync(join(root, member), join(folder, member), {
      recursive: true,
      verbatimSymlinks: true,
      filter: isNoBuild,
    });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
}

describe("npm run dev", () => {
  it("shows what an edit of a sibling's source does to a package's tests, without a build", async () => {
    copyUnbuilt();
    // The run outside must not lend its own variables to the one inside.
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(CI|NODE_ENV|TEST|VITEST.*)$/.test(name)),
    );
    const child = spawn(
      process.execPath,
      ["tools/run-tests.mjs", "dev", "packages/tool-calls", "test/source-addresses"],
      {
        cwd: folder,
        env: { ...env, NO_COLOR: "1", FORCE_COLOR: "0" },
      },
    );
    const ended = new Promise((resolve) => child.once("close", resolve));
    onTestFinished(async () => {
      child.kill("SIGTERM");
      await ended;
    });
    let output = "";
    let look = (): void => {};
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (piece) => {
        output += piece;
        look();
      });
    }
    const until = (text: string) =>
      new Promise<void>((resolve, reject) => {
        look = () => output.includes(text) && resolve();
        ended.then(() => reject(new Error(`It ended before it said "${text}":\n${output}`)));
        look();
      });

    await until("Waiting for file changes");
    expect(output).not.toMatch(/fail/i);
    const sibling = join(folder, "packages", "object-model", "src", "index.ts");
    appendFileSync(sibling, '\nthrow new Error("planted in object-model");\n');
    await until("planted in object-model");
  });

  it("says what there is to watch where it is told nothing that is", async () => {
    const child = spawn(process.execPath, [join(root, "tools", "run-tests.mjs"), "dev", "nothing"]);
    let said = "";
    child.stderr.on("data", (piece) => (said += piece));

    const status = await new Promise((resolve) => child.once("close", resolve));

    expect(status).toBe(1);
    const all = [...members.map(({ folder: member }) => basename(member)), "tools"].sort();
    expect(said).toBe(`npm run dev -- PACKAGE watches one of: ${all.join(", ")}.\n`);
  });
});
