// @module-tag process
import { afterEach, describe, expect, it, vi } from "vitest";
import { bash } from "../../../src/example/tools/bash.ts";
import { workingFolder } from "../working-folder.ts";

const folder = workingFolder();
const run = (command: string, timeout?: number) =>
  bash({ command, ...(timeout !== undefined && { timeout }) }, folder.workspace());

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("bash", () => {
  it("gives output and errors in one text", async () => {
    const result = await run("echo one; echo two >&2");

    expect(result.failed).toBe(false);
    expect(result.text.split("\n").toSorted()).toEqual(["", "one", "two"]);
  });

  it("runs the Node that runs this", async () => {
    const result = await run("node -p process.version");

    expect(result.text).toBe(`${process.version}\n`);
  });

  it("says so where there is no output", async () => {
    expect(await run("true")).toEqual({ text: "(no output)", failed: false });
  });

  it("fails with the status of the command", async () => {
    expect(await run("echo one; exit 3")).toEqual({ text: "one\n\n\nCommand exited with code 3", failed: true });
    expect(await run("exit 1")).toEqual({ text: "Command exited with code 1", failed: true });
  });

  it("ends a command that takes too long, with all that it started", async () => {
    const result = await run("echo begun; tail -f /dev/null & tail -f /dev/null", 0.2);

    expect(result).toEqual({ text: "begun\n\n\nCommand timed out after 0.2 seconds", failed: true });
  });

  it("shows the last 2,000 lines, and which they are", async () => {
    const result = await run("i=0; while [ $i -lt 2500 ]; do i=$((i+1)); echo $i; done");

    const lines = result.text.split("\n");
    expect(lines[0]).toBe("501");
    expect(lines.slice(-3)).toEqual(["2500", "", "[Showing lines 501-2500 of 2500.]"]);
    const truncation = { truncated: true, truncatedBy: "lines", totalLines: 2_500, outputLines: 2_000 };
    expect(result.details).toEqual({ truncation });
  });

  it("counts right what it never kept in memory", async () => {
    const program = 'for (let i = 1; i <= 5000; i++) console.log(String(i).padStart(999, "."))';

    const result = await run(`node -e '${program}'`);

    const lines = result.text.split("\n");
    expect(lines[0]).toBe("4950".padStart(999, "."));
    expect(lines.slice(-3)).toEqual([
      "5000".padStart(999, "."),
      "",
      "[Showing lines 4950-5000 of 5000 (50.0KB limit).]",
    ]);
  });

  it("shows the end of a line that is too long", async () => {
    const result = await run(`node -e 'process.stdout.write("first\\n" + "x".repeat(5_000_000) + "end")'`);

    expect(result.text).toMatch(/^x+end\n\n\[Showing the end of line 2\.\]$/);
    expect(result.text.length).toBeLessThan(51 * 1024);
  });

  it("passes on nothing of the user but where programs are", async () => {
    vi.stubEnv("CM_TEST_TOKEN", "secret");

    const result = await run("node -p 'Object.keys(process.env).sort().join()'");

    // Shells add some of their own.
    const shellsOwn = new Set(["PWD", "OLDPWD", "SHLVL", "_", "__CF_USER_TEXT_ENCODING"]);
    const names = result.text.trim().split(",");
    expect(names.filter((name) => !shellsOwn.has(name))).toEqual(
      ["HOME", "LC_ALL", "NODE_NO_WARNINGS", "NO_COLOR", "PATH", "TMPDIR", "TZ"].toSorted(),
    );
  });

  it("names the working folder by its neutral path", async () => {
    const result = await run('pwd; echo "$HOME/x"; ls "$PWD/gone"');

    expect(result.text).not.toContain(folder.workspace().root);
    expect(result.text).toContain("/shown\n/shown/x\n");
  });

  it("fails where there is no shell", async () => {
    vi.stubEnv("PATH", folder.at("empty"));
    vi.spyOn(process, "execPath", "get").mockReturnValue(folder.at("empty/node"));

    expect(await run("true")).toEqual({ text: "No shell (sh) was found on this machine.", failed: true });
  });
});
