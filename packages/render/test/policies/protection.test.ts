// Verifies: SSOT 4.4 (7): what is protected stays in full as long as the model's window has room for it.
import { argsPart, type ContextPolicy, type ContextView, resultPart } from "@cm/context-log";
import { createRandom, RecordedSession, randomSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { logLayout } from "../../src/layouts/log.ts";
import { contextLogPolicy } from "../../src/policies/context-log/policy.ts";
import { noProtection, type Protection } from "../../src/policies/protection.ts";
import { lines, Script } from "../support/script.ts";

const protecting = (some: Partial<Protection>, more: { readonly foldsNow?: boolean } = {}) =>
  contextLogPolicy({ retentionBudget: 0, protection: { ...noProtection, ...some }, ...more });

/** A session in a cold cache, so that all that may be folded is. */
function cold(policy: ReturnType<typeof protecting>, play: (script: Script) => readonly string[]): readonly boolean[] {
  const script = new Script(policy);
  const calls = play(script);
  script.nextTurn();
  script.idle(14);
  script.session.cache = "cold";
  const { shown } = script.request();
  return calls.map((call) => shown(call).startsWith("[cm: "));
}

describe("protection by path", () => {
  it.each([
    ["a file's name at any depth", "rules.md", "/home/me/work/docs/rules.md"],
    ["a file's name as the agent wrote it", "rules.md", "docs/rules.md"],
    ["a wildcard", "*.md", "/home/me/work/docs/rules.md"],
    ["a folder", "docs/", "/home/me/work/docs/deep/rules.md"],
    ["a folder in a folder", "work/docs", "/home/me/work/docs/rules.md"],
    ["two stars", "docs/**/*.md", "docs/a/b/rules.md"],
    ["a path from the root", "/home/me/work/docs/*.md", "/home/me/work/docs/rules.md"],
    ["a path above the folder", "other/*.md", "../other/rules.md"],
  ])("holds for %s: %s", (_, pattern, path) => {
    const policy = protecting({ paths: [pattern] });

    const folded = cold(policy, (script) => [script.read(path, lines(30)), script.read("src/a.ts", lines(30, "a"))]);

    expect(folded).toEqual([false, true]);
  });

  it.each([["docs"], ["Rules.md"], ["/docs/rules.md"], ["rules.m"], ["!rules.md"]])(
    "does not hold for another path: %s",
    (pattern) => {
      const policy = protecting({ paths: [pattern] });

      expect(cold(policy, (script) => [script.read("/home/me/rules.md", lines(30))])).toEqual([true]);
    },
  );

  it("takes out what a later pattern begins with a mark for", () => {
    const policy = protecting({ paths: ["*.md", "!old.md"] });

    const folded = cold(policy, (script) => [script.read("new.md", lines(30)), script.read("old.md", lines(30, "o"))]);

    expect(folded).toEqual([false, true]);
  });
});

describe("protection by tool", () => {
  it.each([
    ["bash", [false, true, true]],
    ["mcp_*", [true, false, true]],
    ["*", [false, false, false]],
    ["b.sh", [true, true, true]],
  ])("%s holds for outputs of tools of that name", (name, expected) => {
    const folded = cold(protecting({ tools: [name] }), (script) => [
      script.call("bash", { command: "make" }, lines(30)),
      script.call("mcp_notes.get", { of: "x" }, lines(30, "note")),
      script.call("notes", { of: "x" }, lines(30, "other")),
    ]);

    expect(folded).toEqual(expected);
  });
});

describe("protection of the newest prompts", () => {
  it.each([
    [0, [true, true]],
    [1, [true, true]],
    [2, [true, false]],
    [3, [false, false]],
  ])("%i holds for what came of them", (prompts, expected) => {
    const folded = cold(protecting({ prompts }), (script) => {
      const first = script.call("bash", { command: "make" }, lines(30));
      script.say("Then this.");
      return [first, script.call("bash", { command: "make it" }, lines(30, "second"))];
    });

    expect(folded).toEqual(expected);
  });
});

describe("what is protected", () => {
  it("stays though the agent let go of it", () => {
    const script = new Script(protecting({ paths: ["*.md"] }));
    const rules = script.read("rules.md", lines(30));
    script.session.dismissed.add(rules);
    script.idle(10);
    script.session.cache = "cold";

    expect(script.request().shown(rules)).toBe(lines(30));
  });

  it("keeps the text that an edit of it replaced", () => {
    const play = (some: Partial<Protection>) => {
      const script = new Script(protecting(some));
      script.call("edit", { path: "rules.md", oldText: lines(30), newText: "x" }, "Done.");
      script.say("Next.");
      script.idle(10);
      script.session.cache = "cold";
      return JSON.stringify(script.request().prompt.messages[1]?.calls?.[0]?.args).length;
    };

    expect(play({ paths: ["*.md"] })).toBeGreaterThan(1_000);
    expect(play({})).toBeLessThan(300);
  });

  it("goes last where the window leaves no other way, and the step says so", () => {
    const script = new Script(protecting({ paths: ["*.md"] }));
    // Neither is dead by its clock, and what is protected is the older one.
    const kept = script.read("rules.md", lines(40));
    const other = script.read("b.ts", lines(40, "other"));
    script.idle(4);
    const view = (bytesMax: number): ContextView => ({ ...script.session.view(), window: { bytesMax } });
    const decide = (bytesMax: number) =>
      protecting({ paths: ["*.md"] }).decide(view(bytesMax), { read: 0.1, write: 1 });

    const roomy = decide(2_600);
    const narrow = decide(700);

    expect(Object.keys(roomy.forms ?? {})).toEqual(["4"]);
    expect(roomy.reasons).not.toHaveProperty("window: no room for protected text");
    expect(narrow.reasons?.["window: no room for protected text"]).toEqual(["2"]);
    expect([kept, other]).toEqual(["c0", "c1"]);
  });
});

/** Outputs and arguments that a protection holds for, found without the policy's help. */
function protectedIn({ log, turn }: ContextView, { prompts }: Protection): readonly string[] {
  return log.flatMap((entry) => {
    if (entry.kind !== "assistant" && entry.kind !== "result") return [];
    const isNewest = entry.turn > turn - prompts;
    if (entry.kind === "result") return isNewest || isProtected(entry.tool, entry.args) ? [resultPart(entry.at)] : [];
    return entry.calls.flatMap(({ tool, args }, call) =>
      isNewest || isProtected(tool, args) ? [argsPart(entry.at, call)] : [],
    );
  });
}

const isProtected = (tool: string, args: object): boolean =>
  tool === "grep" || /part-[01]\//.test(Object.values(args).map(String).join(" ").slice(0, 200));

describe("over random sessions", () => {
  it("no protected part is ever folded while nothing bounds the prompt", () => {
    const folds = Array.from({ length: 12 }, (_, seed) => foldsIn(seed));

    expect(folds.filter((count) => count > 1).length).toBeGreaterThan(8);
  });
});

describe("in a window", () => {
  it("what is protected goes only where all old outputs that are not are gone, and the step names it", () => {
    const random = createRandom(3);
    const protection: Protection = { tools: ["grep"], paths: ["src/part-[01]/"], prompts: 0 };
    let [lost, kept] = [0, 0];
    for (let play = 0; play < 12; play += 1) {
      const policy = contextLogPolicy({ protection });
      const session = new RecordedSession({ policy: { ...policy, decide: () => ({}) }, renderer: logLayout });
      for (const event of randomSession(random, { steps: 25, thinking: 0 })) session.add(event);
      const view = { ...session.view(), window: { bytesMax: 4_000 + random.below(40_000) } };
      const { forms = {}, reasons = {} } = policy.decide(view, { read: 0.1, write: 1 });
      const guarded = protectedIn(view, protection);
      const gone = guarded.filter((part) => isFoldedForm(forms[part]?.form));

      expect(reasons["window: no room for protected text"] ?? []).toEqual(expect.arrayContaining(gone));
      const old = view.log.filter((entry) => entry.kind === "result" && entry.step < view.step - 2);
      const standing = old.filter(
        (entry) =>
          entry.kind === "result" &&
          (entry.text ?? "").length > 300 &&
          !guarded.includes(`${entry.at}`) &&
          [undefined, "full", "sparse"].includes(forms[entry.at]?.form),
      );
      if (gone.length > 0) expect(standing).toEqual([]);
      if (gone.length > 0) lost += 1;
      else if (guarded.length > 0) kept += 1;
    }

    expect(Math.min(lost, kept)).toBeGreaterThan(1);
  });
});

/** Plays a session of which now and then all is folded at once; how often it folded. */
function foldsIn(seed: number): number {
  const random = createRandom(seed);
  const protection: Protection = { tools: ["grep"], paths: ["src/part-[01]/"], prompts: seed % 3 };
  const steered = (foldsNow: boolean) => contextLogPolicy({ preset: "lean", protection, foldsNow });
  const [usual, now] = [steered(false), steered(true)];
  const pick = () => (random.chance(0.1) ? now : usual);
  const policy: ContextPolicy = { ...usual, decide: (view, prices) => pick().decide(view, prices) };
  const session = new RecordedSession({ policy, renderer: logLayout });
  let folds = 0;
  for (const event of randomSession(random, { steps: 60 })) {
    if (event.kind === "assistant") {
      session.cache = random.chance(0.1) ? "cold" : "warm";
      const view = session.view();
      const { forms = {}, fold } = session.request().decision;
      if (fold !== undefined) folds += 1;
      const gone = protectedIn(view, protection).filter((part) => isFoldedForm(forms[part]?.form));
      expect(gone, `seed ${seed}`).toEqual([]);
    }
    session.add(event);
  }
  return folds;
}

const isFoldedForm = (form: string | undefined): boolean =>
  form === "reference" || form === "replaced" || form === "spans";

describe("a fold that a person asks for", () => {
  it("takes all outputs but the newest calls, pinned and protected ones", () => {
    const script = new Script(protecting({}));
    const read = script.read("a.ts", lines(30));
    const pinned = script.call("bash", { command: "make" }, lines(30, "pinned"));
    const kept = script.read("rules.md", lines(30, "rule"));
    const output = script.call("bash", { command: "make" }, lines(30, "out"));
    script.idle(1);
    const newest = script.call("bash", { command: "make" }, lines(30, "new"));
    script.session.pinned.add(pinned);
    const view = script.session.view();

    const decision = protecting({ paths: ["*.md"] }, { foldsNow: true }).decide(view, { read: 0.1, write: 1 });

    const placeOf = (call: string) =>
      `${view.log.findIndex((entry) => entry.kind === "result" && entry.callId === call)}`;
    expect(decision.fold).toEqual({ cut: 2, reason: "person" });
    expect(Object.keys(decision.forms ?? {})).toEqual([placeOf(read), placeOf(output)]);
    expect(decision.reasons).toEqual({ "a person asked": [placeOf(read), placeOf(output)] });
    expect(decision.forms).not.toHaveProperty(placeOf(kept));
    expect(decision.forms).not.toHaveProperty(placeOf(newest));
  });

  it("decides nothing where there is nothing to fold", () => {
    const script = new Script();
    script.call("bash", { command: "ls" }, "a");

    expect(protecting({}, { foldsNow: true }).decide(script.session.view(), { read: 0.1, write: 1 })).toEqual({});
  });
});
