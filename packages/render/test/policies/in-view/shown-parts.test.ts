import { createRandom, RecordedSession, randomSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { logLayout } from "../../../src/layouts/log.ts";
import { contextLogPolicy } from "../../../src/policies/context-log/policy.ts";
import { savedChars, shownParts } from "../../../src/policies/in-view/shown-parts.ts";
import { lines, Script } from "../../support/script.ts";

// Verifies: SSOT 4.4: what is said of the parts of a prompt adds up to the prompt.

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe("the parts of a prompt", () => {
  it.each([1, 2, 3, 4])("have all of its characters, and say what folds took (seed %i)", (seed) => {
    const random = createRandom(seed);
    const session = new RecordedSession({ policy: contextLogPolicy({ preset: "lean" }), renderer: logLayout });
    for (const event of randomSession(random, { steps: 60 })) {
      if (event.kind === "assistant") {
        session.cache = random.chance(0.1) ? "cold" : "warm";
        const { prompt } = session.request();
        const parts = shownParts(session.view()).filter(({ kind }) => kind !== "thinking");
        expect(sum(parts.map(({ chars }) => chars))).toBe(prompt.chars);
      }
      session.add(event);
    }
    const view = session.view();
    const saved = sum([...view.forms].map(([key, form]) => savedChars(view, key, form)));

    const left = shownParts(view).map(({ fullChars, chars }) => fullChars - chars);
    expect(saved).toBe(sum(left));
    expect(saved).toBeGreaterThan(1_000);
  });

  it("have thinking as long as the arguments beside it are whole", () => {
    const script = new Script();
    script.call("bash", { command: `echo ${lines(30)}` }, "ok", { thinking: true });
    script.call("bash", { command: "make" }, "ok", { thinking: true });
    script.say("Next.");
    script.idle(4);
    const thoughts = () => shownParts(script.session.view()).filter(({ kind }) => kind === "thinking").length;
    const before = thoughts();
    script.session.cache = "cold";

    const { prompt } = script.request();

    expect(before).toBe(2);
    expect(thoughts()).toBe(1);
    expect(prompt.messages.filter(({ thinking }) => thinking !== undefined)).toHaveLength(1);
  });

  it("are of a kind, and belong to the file that they show or to their call", () => {
    const script = new Script();
    script.read("src/a.ts", lines(20));
    const output = script.call("bash", { command: "make" }, lines(10), { thinking: true });
    script.say("Go on.");
    const view = script.session.view();
    const [file] = [...script.session.index].filter((id) => view.objects.get(id)?.kind === "file");

    const parts = shownParts(view).map(({ kind, object, form }) => [kind, object, form]);

    expect(parts).toEqual([
      ["prompt", undefined, "full"],
      ["arguments", file, "full"],
      ["file", file, "full"],
      ["arguments", output, "full"],
      ["output", output, "full"],
      ["prompt", undefined, "full"],
      ["thinking", undefined, "full"],
    ]);
  });
});
