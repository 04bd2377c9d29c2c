// Verifies: SSOT 3.3: what the model asks of its context is done, or refused with the reason.
import { describe, expect, it } from "vitest";
import { away, managedWorld } from "../support/managed-over.ts";
import { runTool } from "../support/run-tool.ts";

describe("a tool that moves objects", () => {
  it.each([
    ["activate", "f2", "f2: its text follows", { requested: "f2" }],
    ["activate", "f1", "f1: its text is in view, or about to be", {}],
    ["deactivate", "t1", "t1: may be folded now", { dismissed: "t1" }],
    ["deactivate", "f2", "f2: was not active", {}],
    ["pin", "f1", "f1: pinned", { pinned: "f1" }],
    ["unpin", "f1", "f1: was not pinned", {}],
  ] as const)("%s %s says in a line: %s", async (name, id, said, sets) => {
    const { managed, session } = await managedWorld();

    const answer = await runTool(managed, name, { id });

    expect(answer).toBe(said);
    const { objects, sets: held } = session.view();
    const aliases = (ids: ReadonlySet<string>) => [...ids].map((one) => objects.get(one)?.alias).join(" ");
    const now = {
      requested: aliases(held.requested),
      dismissed: aliases(held.dismissed),
      pinned: aliases(held.pinned),
    };
    expect(now).toEqual({ requested: "", dismissed: "", pinned: "", ...sets });
  });

  it("brings the text back with the next request", async () => {
    const { managed, session } = await managedWorld();

    await runTool(managed, "activate", { id: "f2" });
    const { messages } = await session.assemble();

    expect(JSON.stringify(messages)).toContain("export const b = 2;");
  });

  it.each<readonly [object, string]>([
    [{ id: "f1 t1" }, "f1 t1"],
    [{ id: "f1, t1,f1" }, "f1 t1"],
    [{ id: "f1..f2" }, "f1 f2"],
    [{ id: "id=t2" }, "t2"],
    [{ id: '["f1", "t1"]' }, "f1 t1"],
    [{ id: ["f1", "t1"] }, "f1 t1"],
    [{ ids: ["f1", "t1"] }, "f1 t1"],
    [{ id: "`t2`." }, "t2"],
    [{ id: "f2..f1" }, "f2..f1"],
  ])("takes %j as %s", async (given, aliases) => {
    const { managed } = await managedWorld();

    const lines = (await runTool(managed, "pin", given)).split("\n");

    expect(lines.map((line) => line.split(":")[0]).join(" ")).toBe(aliases);
  });

  it("takes the whole id of an object as well", async () => {
    const { managed } = await managedWorld();
    const id = (await managed.show("f1"))?.id ?? "";

    expect(await runTool(managed, "pin", { id })).toBe(`${id}: pinned`);
  });

  it("says why it refuses, and does the others", async () => {
    const { managed } = await managedWorld();

    const lines = (await runTool(managed, "pin", { id: "f9 f1" })).split("\n");

    expect(lines).toEqual(["f9: refused. This session has not met such an object; list its objects.", "f1: pinned"]);
  });

  it.each<readonly [string, object]>([
    ["nothing", {}],
    ["only blanks", { id: "  " }],
    ["an object", { id: { f1: true } }],
    ["more than 20", { id: Array.from({ length: 21 }, (_, at) => `f${at + 1}`).join(" ") }],
    ["a range of more than 20", { id: "f1..f999999999" }],
    ["a text that never ends", { id: "f".repeat(100_000) }],
  ])("fails with one sentence where it is given %s", async (_what, given) => {
    const { managed } = await managedWorld();

    await expect(runTool(managed, "activate", given)).rejects.toThrow(/^Name (an object|at most 20).{5,60}\.$/);
  });

  it("fails with one sentence while the database is away", async () => {
    const { managed } = await managedWorld(away);

    await expect(runTool(managed, "activate", { id: "f1" })).rejects.toThrow(
      "f1: not done. The database does not answer: it is locked. Try again later.",
    );
  });

  it("says what was done before the database went away", async () => {
    const { managed } = await managedWorld();
    const { command = managed.command } = away;
    const fails: typeof managed = {
      ...managed,
      command: (one) => (one.id === "f2" ? command(one) : managed.command(one)),
    };

    await expect(runTool(fails, "pin", { id: "f1 f2 t1" })).rejects.toThrow(/^f1: pinned\nf2: not done\./);
  });

  it("never shows what a foreign error says", async () => {
    const { managed } = await managedWorld({ command: () => Promise.reject(new Error("secret of a driver")) });

    await expect(runTool(managed, "pin", { id: "f1" })).rejects.toThrow(/^(?!.*secret).*The context store failed/);
  });

  it.each(["activate", "deactivate", "pin", "unpin", "list_objects"])(
    "%s says that management is off where it is",
    async (name) => {
      const off = (await managedWorld({ health: { state: "off", unwritten: 0 } })).managed;

      await expect(runTool(undefined, name, { id: "f1" })).rejects.toThrow("Context management is off");
      await expect(runTool(off, name, { id: "f1" })).rejects.toThrow("Context management is off");
    },
  );
});
