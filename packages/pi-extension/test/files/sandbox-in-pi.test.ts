// @module-tag pi
// Verifies: SSOT 5.3: files of a sandbox are followed as far as their place is known.
import { join } from "node:path";
import { extensionPath, openRpc, type PiRun, type PiVersion } from "@cm/scripted-models/real-pi";
import { sessionAt } from "@cm/session";
import { expect, it } from "vitest";
import { inStore, storedSessions } from "../support/stored.ts";
import { versionsNow, withPi } from "../support/with-pi.ts";

const extensions = [extensionPath(), join(import.meta.dirname, "support/sandbox-extension.ts")];
const calls = (name: string, ...paths: readonly string[]) => ({
  calls: paths.map((path) => ({ name, args: { path } })),
});

/** One prompt in rpc mode: what people were told, and the objects of the session after it. */
async function promptIn(run: PiRun, environment: Readonly<Record<string, string>>) {
  const rpc = await openRpc({ ...run, extensions, environment });
  await rpc.prompt("Look.");
  await rpc.close();
  const { notices, extensionErrors } = rpc;
  const [session] = await storedSessions(run.home);
  const head = session?.head ?? { session: "", n: 0 };
  const { objects } = await inStore(run.home, (store) => sessionAt(store, head));
  const files = objects
    .filter(({ kind }) => kind === "file")
    .map(({ path, text, textless }) =>
      // An unread file shows the part of it that was seen.
      textless === undefined ? [path, text] : [path, text, textless],
    );
  const tools = objects.filter(({ kind }) => kind === "toolcall").map(({ tool, text }) => [tool, text]);
  return { notices, extensionErrors, files, tools };
}

/** How mounts can be said; the second way, which needs a Pi of its own, is left to campaigns. */
const told: readonly (readonly [string, (run: PiRun) => Readonly<Record<string, string>>])[] = [
  ["says its mounts", () => ({ SANDBOX: "tools mounts" })] as const,
  ["is configured", (run: PiRun) => ({ SANDBOX: "tools", CM_MOUNTS: `/workspace=${run.home.workDir}` })] as const,
].slice(0, process.env.CM_CAMPAIGN === "1" ? 2 : 1);

for (const version of versionsNow)
  withPi(version, "a sandbox", (stages) => {
    it("that says nothing has its outputs kept and no file looked at, and people are told once", async () => {
      const { run } = await stages.open([
        calls("read", "a.txt", "/etc/hosts"),
        calls("read", "a.txt"),
        { text: "done" },
      ]);

      const { notices, extensionErrors, files, tools } = await promptIn(run, { SANDBOX: "tools" });

      expect(extensionErrors).toEqual([]);
      expect(files).toEqual([]);
      expect(tools).toEqual([
        ["read", "alpha\n"],
        ["read", "guest has /etc/hosts"],
        ["read", "alpha\n"],
      ]);
      expect(notices).toEqual([expect.stringContaining("(bash, edit, read, write)")]);
    });

    it("that the settings can enter has its files looked at there, whatever its tools say of them", async () => {
      const { run } = await stages.open([calls("read", "a.txt", "/etc/hosts"), { text: "done" }]);
      const { workDir } = run.home;
      // Stands in for an engine's command: what follows it runs where the files are.
      const container = { id: "box", command: ["env"], cwd: workDir, roots: [workDir] };
      await run.home.write({ "../agent/context-manager/settings.json": JSON.stringify({ sources: [{ container }] }) });

      const { notices, extensionErrors, files } = await promptIn(run, { SANDBOX: "tools" });

      expect([notices, extensionErrors]).toEqual([[], []]);
      expect(files).toEqual([
        [join(workDir, "a.txt"), "alpha\n"],
        ["/etc/hosts", "guest has /etc/hosts", "unread"],
      ]);
    });

    it.each(told)("that %s has the files behind them looked at, and its own ones named", async (_, environment) => {
      const { run } = await stages.open([calls("read", "a.txt", "/etc/hosts"), { text: "done" }]);

      const { notices, extensionErrors, files } = await promptIn(run, environment(run));

      expect([notices, extensionErrors]).toEqual([[], []]);
      expect(files).toEqual([
        ["/workspace/a.txt", "alpha\n"],
        ["/etc/hosts", "guest has /etc/hosts"],
      ]);
    });
  });

const withNestedCalls: PiVersion = "1.5.2";
withPi(withNestedCalls, "a tool that calls others", (stages) => {
  it("has the files of these calls, which are no objects themselves", async () => {
    const { run } = await stages.open([calls("script", "a.txt"), { text: "done" }]);

    const { extensionErrors, files, tools } = await promptIn(run, { SANDBOX: "script" });

    expect(extensionErrors).toEqual([]);
    expect(files).toEqual([[join(run.home.workDir, "a.txt"), "alpha\n"]]);
    expect(tools).toEqual([["script", "The script has read it."]]);
  });
});
