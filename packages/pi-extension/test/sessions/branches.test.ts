import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRpc, piVersions, type ScriptedModel, startScriptedModel } from "../../../../tools/real-pi/real-pi.ts";
import { shownText, stage, textOf } from "../support/real.ts";
import { findings, links, storedSessions } from "../support/stored.ts";

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const reads = (path: string) => ({ calls: [{ name: "read", args: { path } }] });
const files = { "a.ts": textOf("alpha"), "b.ts": textOf("beta"), "c.ts": textOf("gamma") };

describe.each(piVersions)("a session of Pi %s", (version) => {
  it("goes back with /tree and forth again within one session, each branch with its own sets", async () => {
    const script = [reads("a.ts"), { text: "one" }, reads("b.ts"), { text: "two" }, reads("c.ts"), { text: "three" }];
    const { play, home, run } = await stage(model, [...script, { text: "four" }], { version, files });
    const rpc = await openRpc(run);
    await rpc.prompt("first");
    const [first] = await entries(home, "first");
    await rpc.prompt("second");
    const [second] = await entries(home, "second");
    const leaf = (await home.sessionEntries()).at(-1);

    await rpc.command(`/probe-tree ${String(second?.id)}`);
    await rpc.prompt("other second");
    await rpc.command(`/probe-tree ${String(leaf?.id)}`);
    await rpc.prompt("third");
    await rpc.close();

    expect(first).toBeDefined();
    const [other, back] = [play.requests[5], play.requests[6]];
    expect(shownText(other)).toContain("gamma line 3");
    expect(shownText(other)).not.toContain("beta line 3");
    expect(shownText(back)).toContain("beta line 3");
    expect(shownText(back)).not.toContain("gamma line 3");
    const sessions = await storedSessions(home);
    expect(sessions).toHaveLength(1);
    expect(new Set((await links(home)).map(({ session }) => session))).toEqual(new Set([sessions[0]?.session]));
    expect(await findings(home)).toEqual([]);
    await home.remove();
  });

  it("is forked without copying, and each goes on alone", async () => {
    const script = [reads("a.ts"), { text: "one" }, reads("b.ts"), { text: "two" }, reads("c.ts"), { text: "three" }];
    const { play, home, run } = await stage(model, [...script, { text: "four" }], { version, files });
    const rpc = await openRpc(run);
    await rpc.prompt("first");
    await rpc.prompt("second");
    const [second] = await entries(home, "second");

    await rpc.ask("fork", { entryId: String(second?.id) });
    await rpc.prompt("third");
    const [first] = await entries(home, "first");
    await rpc.command(`/probe-tree ${String(first?.id)}`);
    await rpc.prompt("other first");
    await rpc.close();

    const forked = play.requests[5];
    expect(shownText(forked)).toContain("alpha line 3");
    expect(shownText(forked)).not.toContain("beta line 3");
    expect(shownText(play.requests[6])).not.toContain("alpha line 3");
    const sessions = await storedSessions(home);
    expect(sessions.map(({ steps }) => steps).sort()).toEqual([1, 4]);
    expect(sessions.filter(({ forkedFrom }) => forkedFrom !== undefined)).toHaveLength(1);
    expect(await findings(home)).toEqual([]);
    await home.remove();
  });
});

async function entries(home: Awaited<ReturnType<typeof stage>>["home"], text: string) {
  return (await home.sessionEntries()).filter((entry) => JSON.stringify(entry.message ?? "").includes(`"${text}"`));
}
