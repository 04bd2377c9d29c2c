// @module-tag pi
// Verifies: SSOT 5.12: files of calls that Pi's codemode makes inside one call are known; the call is one object.
import { checkStructure, runPrint } from "@cm/scripted-models/real-pi";
import { sessionAt } from "@cm/session";
import { expect, it } from "vitest";
import { findings, inStore, storedSessions } from "../support/stored.ts";
import { textOf } from "../support/texts.ts";
import { withPi } from "../support/with-pi.ts";

const code = `
const read = await Promise.all(["b.ts", "c.ts"].map((path) => tools.read({ path })));
return read.length;
`;

withPi("1.5.2", "codemode", (stages) => {
  it("knows the files that a script read, and has the script as one call", async () => {
    const { play, run } = await stages.open([{ calls: [{ name: "codemode", args: { code } }] }, { text: "done" }], {
      args: ["--tools", "+codemode"],
      // Codemode is one of the extensions that Pi brings.
      installed: true,
    });
    await run.home.write({ "b.ts": textOf("beta"), "c.ts": textOf("gamma") });

    const end = await runPrint(run, "count");

    expect(end).toMatchObject({ code: 0, stdout: "done\n", stderr: "" });
    expect(play.requests.flatMap(checkStructure)).toEqual([]);
    const [session] = await storedSessions(run.home);
    const { objects } = await inStore(run.home, (store) => sessionAt(store, session?.head ?? { session: "", n: 0 }));
    const calls = objects
      .filter(({ kind }) => kind === "toolcall")
      .map(({ tool, status, text }) => [tool, status, text]);
    expect(calls).toEqual([["codemode", "ok", expect.stringContaining("2")]]);
    const files = objects.filter(({ kind }) => kind === "file").map(({ text }) => text);
    expect(new Set(files)).toEqual(new Set([textOf("beta"), textOf("gamma")]));
    expect(await findings(run.home)).toEqual([]);
  });
});
