// Verifies: SSOT 6: what is decided is recorded with its reason.
import { describe, expect, it } from "vitest";
import { lines, Script } from "../support/script.ts";

describe("the reasons of a decision", () => {
  it("name every part that a fold takes, once", () => {
    const script = new Script();
    script.read("a.ts", lines(30));
    const dismissed = script.call("bash", { command: "make" }, lines(30, "made"));
    const edit = { path: "b.ts", oldText: lines(30, "old"), newText: "x" };
    script.call("edit", edit, lines(10, "edited"));
    script.say("Next.");
    script.idle(5);
    script.call("bash", { command: `echo ${lines(20)}` }, lines(20, "out"));
    script.idle(4);
    script.session.dismissed.add(dismissed);
    script.session.cache = "cold";

    const { decision } = script.request();

    expect(decision.reasons).toEqual({
      "file was long not used": ["2"],
      "agent let go": ["4"],
      "replaced text is gone": ["5.0"],
      "edit was made": ["6"],
      "output was read": [String(script.session.log.findIndex(isOutput))],
    });
    expect(
      Object.values(decision.reasons ?? {})
        .flat()
        .sort(),
    ).toEqual(Object.keys(decision.forms ?? {}).sort());
  });

  it("tell what the agent asked for from what an edit missed", () => {
    const script = new Script();
    const [asked, missed] = [script.read("a.ts", lines(40)), script.read("b.ts", lines(40, "b"))];
    script.say("Next.");
    script.idle(14);
    script.session.cache = "cold";
    script.request();
    for (let call = 0; call < 80; call += 1) script.call("bash", { command: "make" }, lines(40, `run ${call}`));
    script.call("edit", { path: "b.ts", oldText: "b number 7 of a longer text", newText: "x" }, "Done.");
    script.session.requested.add(asked);

    expect(script.request().decision.reasons).toMatchObject({
      "agent asked for it": [asked],
      "edit missed it": [missed],
    });
  });

  it("are none where nothing was decided", () => {
    expect(new Script().request().decision.reasons).toBeUndefined();
  });
});

const isOutput = (entry: { readonly kind: string; readonly text?: string | null }): boolean =>
  entry.kind === "result" && entry.text === lines(20, "out");
