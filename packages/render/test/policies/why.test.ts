// Verifies: SSOT 4.4: for each text a person can hear why it stands in full, or that it is folded.
import { indexedView } from "@cm/context-log";
import { describe, expect, it } from "vitest";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { whyParts } from "../../src/policies/in-view/why-parts.ts";
import { noProtection } from "../../src/policies/protection.ts";
import { lines, Script } from "../support/script.ts";

const options = { retentionBudget: 0 } as const;

/** Why the output of a call stands. */
function whyOutput(script: Script, call: string, more: object = {}) {
  const parts = whyParts(script.session.view(), call, { ...options, ...more });
  return parts.find(({ isArgs }) => !isArgs)?.reason;
}

describe("why a part stands as it does", () => {
  it("is how many calls are left until retention ends", () => {
    const script = new Script();
    const read = script.read("a.ts", lines(30));
    const output = script.call("bash", { command: "make" }, lines(30, "made"));
    script.idle(2);

    expect(whyOutput(script, output)).toEqual({ why: "in use", calls: 1 });
    expect(whyOutput(script, read)).toEqual({ why: "in use", calls: 57 });
    script.idle(1);
    expect(whyOutput(script, output)).toEqual({ why: "due" });
  });

  it("is that it is one of the newest", () => {
    const script = new Script();
    expect(whyOutput(script, script.call("bash", { command: "make" }, lines(30)))).toEqual({ why: "newest" });
  });

  it("is that it was folded, pinned, released, or that the fold would gain nothing", () => {
    const script = new Script();
    const [folded, pinned, released, short] = ["a", "b", "c", "d"].map((seed) =>
      script.call("bash", { command: seed }, seed === "d" ? "d" : lines(30, seed)),
    );
    script.session.pinned.add(pinned ?? "");
    script.idle(4);
    const forms = new Map([
      [`${script.session.log.findIndex(({ kind }) => kind === "result")}`, { form: "reference" }],
    ]);
    script.session.dismissed.add(released ?? "");
    const view = indexedView({ ...script.session.view(), forms: forms as never });

    const why = [folded, pinned, released, short].map(
      (call) => whyParts(view, call ?? "", options).find(({ isArgs }) => !isArgs)?.reason.why,
    );

    expect(why).toEqual(["folded", "pinned", "released", "no gain"]);
  });

  it("is what protects it", () => {
    const script = new Script();
    const read = script.read("docs/a.md", lines(30));
    const output = script.call("bash", { command: "make" }, lines(30));
    const protection = { ...noProtection, paths: ["*.md"], tools: ["ba*"] };

    expect(whyOutput(script, read, { protection })).toEqual({ why: "protected", by: "path" });
    expect(whyOutput(script, output, { protection })).toEqual({ why: "protected", by: "tool" });
    expect(whyOutput(script, output, { protection: { ...noProtection, prompts: 1 } })).toEqual({
      why: "protected",
      by: "prompt",
    });
  });

  it("is that there is room for so much file text, or that another text points at it", () => {
    const script = new Script(contextLogPolicy({ retentionBudget: 1 }));
    const first = script.read("a.ts", lines(60));
    const again = script.read("a.ts", lines(60));
    script.session.request();
    script.session.pinned.add(again);
    script.nextTurn();
    script.idle(14);

    expect(whyOutput(script, first, { retentionBudget: 0 })).toEqual({ why: "needed" });
    expect(whyOutput(script, again, { retentionBudget: 0 })).toEqual({ why: "shortened" });
    script.session.pinned.delete(again);
    expect(whyOutput(script, first, { retentionBudget: 1 })).toEqual({ why: "spared" });
  });

  it("is told of arguments, too, and for a file of all outputs that show it", () => {
    const script = new Script();
    script.call("write", { path: "a.ts", content: lines(30) }, "Done.");
    const read = script.read("a.ts", lines(30));
    script.read("a.ts", lines(31));
    const view = script.session.view();
    const [file = ""] = [...script.session.index].filter((id) => view.objects.get(id)?.kind === "file");

    expect(whyParts(view, "c0", options).map(({ isArgs, reason }) => [isArgs, reason.why])).toEqual([
      [true, "this turn"],
      [false, "no gain"],
    ]);
    expect(whyParts(view, file, options).map(({ key }) => key)).toEqual(["4", "6"]);
    expect(whyParts(view, read, options)).toHaveLength(2);
    expect(whyParts(view, "unknown", options)).toEqual([]);
  });
});
