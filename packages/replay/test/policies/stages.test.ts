// Verifies: SSOT 6: each idea of the context log can be left out, and each does something.

import { contextLogConstants, logLayout } from "@cm/render";
import { ScriptedSession } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { type AblatedIdea, type Ablation, ablated, ablatedPolicy } from "../../src/policies/ablations.ts";

interface Example {
  readonly play: (script: ScriptedSession) => void;
  /** Requests the next prompt at each of so many short calls at the end. Default: at the end alone. */
  readonly calls?: number;
}

/** Some lines of text, different for each seed. */
const lines = (count: number, seed = "line"): string =>
  Array.from({ length: count }, (_, number) => `${seed} number ${number} of a longer text`).join("\n");

/** The same as Claude Code prints it. */
const numberedLines = (count: number): string =>
  lines(count)
    .split("\n")
    .map((line, index) => `${String(index + 1).padStart(6)}→${line}`)
    .join("\n");

const cold = (script: ScriptedSession): void => {
  script.session.cache = "cold";
};

/** Reads a file in a turn in which another one was written, so that it did not only gather. */
function readsThenTurns(script: ScriptedSession): void {
  script.read("a.ts", lines(40));
  script.call("write", { path: "other.ts", content: "x" }, "Done.");
  script.say("Next.");
  script.idle(14);
  cold(script);
}

/** Two files are edited together, forgotten, and one of them is edited again. */
function forgetsPlan(script: ScriptedSession): void {
  for (const path of ["a.ts", "b.ts"]) script.read(path, lines(40, path));
  for (const path of ["a.ts", "b.ts"])
    script.call("edit", { path, oldText: `${path} number 3 of a longer text`, newText: "x" }, "Done.");
  script.say("Next.");
  script.idle(14);
  cold(script);
  script.request();
  for (let call = 0; call < 60; call += 1) script.call("bash", { command: "make" }, lines(40, `run ${call}`));
  script.call("edit", { path: "a.ts", oldText: "a.ts number 7 of a longer text", newText: "x" }, "Done.");
}

/** For each idea a session in which it decides. */
const examples: Readonly<Record<AblatedIdea, Example>> = {
  turns: { play: readsThenTurns },
  gathering: {
    play(script) {
      script.read("a.ts", lines(40));
      script.say("Next.");
      script.idle(14);
      cold(script);
    },
  },
  "edited-since": {
    play(script) {
      script.read("a.ts", lines(40));
      script.call("edit", { path: "a.ts", oldText: "number 3 of", newText: "x" }, "Done.");
      script.idle(6);
      cold(script);
    },
  },
  sparse: { play: (script) => script.call("Read", { file_path: "a.ts" }, numberedLines(40)) },
  "earlier-text": {
    play(script) {
      script.read("a.ts", lines(40));
      script.read("a.ts", lines(40));
    },
  },
  arguments: {
    play(script) {
      script.call("bash", { command: `echo ${lines(30)}` }, "ok");
      script.say("Next.");
      script.idle(4);
      cold(script);
    },
  },
  "turn-arguments": {
    play(script) {
      script.call("bash", { command: `echo ${lines(30)}` }, "ok");
      script.idle(25);
      cold(script);
    },
  },
  replaced: {
    play(script) {
      script.call("edit", { path: "a.ts", oldText: lines(30), newText: "x" }, "Done.");
      script.say("Next.");
      script.idle(4);
      cold(script);
    },
  },
  "fault-service": {
    play(script) {
      readsThenTurns(script);
      script.request();
      for (let call = 0; call < 60; call += 1) script.call("bash", { command: "make" }, lines(40, `run ${call}`));
      script.call("edit", { path: "a.ts", oldText: "line number 7 of a longer text", newText: "x" }, "Done.");
    },
  },
  plans: { play: forgetsPlan },
  names: {
    play(script) {
      script.call("bash", { command: "make" }, `${lines(40)}\nbuilt render_prompt_4`);
      script.idle(4);
      cold(script);
    },
  },
  lines: {
    play(script) {
      script.call("bash", { command: "make" }, `${lines(40)}\nbuilt render_prompt_4`);
      script.idle(4);
      cold(script);
    },
  },
  pointers: {
    play(script) {
      script.read("a.ts", lines(60));
      script.call("bash", { command: "make" }, `make\n${lines(60)}`);
    },
  },
  rent: {
    play(script) {
      script.call("bash", { command: "make" }, lines(500));
      script.idle(30);
    },
  },
  "best-cut": {
    play(script) {
      script.call("bash", { command: "make" }, lines(12));
      script.read("a.ts", lines(800, "a"));
      script.call("bash", { command: "make" }, lines(600));
      script.idle(20);
    },
  },
  credit: {
    play: (script) => script.call("bash", { command: "make" }, lines(100)),
    calls: 30,
  },
  "further-cuts": {
    play(script) {
      script.call("bash", { command: "make" }, lines(1_000));
      script.say(lines(1_500, "a long wish"));
      script.idle(30);
      script.call("bash", { command: "test" }, lines(100, "near"));
    },
    calls: 30,
  },
  along: {
    play(script) {
      for (let file = 0; file < 20; file += 1) script.read(`${file}.ts`, lines(100, `${file}`));
      script.call("write", { path: "other.ts", content: "x" }, "Done.");
      script.say("Next.");
    },
    calls: 20,
  },
  tight: {
    play(script) {
      const name = (line: number) => `registered_handler_${line} = load_module_${line}(settings_of_${line})`;
      script.idle(2);
      script.call("bash", { command: "make" }, Array.from({ length: 100 }, (_, line) => name(line)).join("\n"));
      script.say(lines(50, "a long wish"));
    },
    calls: 30,
  },
};

/** All that was decided in a session, with ideas left out or not. */
function decisions({ play, calls = 0 }: Example, ...left: readonly Ablation[]): string {
  const ablation: Ablation = {
    says: "",
    stages: Object.assign({}, ...left.map(({ stages }) => stages)),
    constants: Object.assign({}, ...left.map(({ constants }) => constants)),
  };
  const policy = ablatedPolicy(ablation, contextLogConstants());
  const decided: unknown[] = [];
  const decide = (...[view, prices]: Parameters<typeof policy.decide>) => {
    const decision = policy.decide(view, prices);
    decided.push(decision);
    return decision;
  };
  const script = new ScriptedSession({ policy: { ...policy, decide }, renderer: logLayout }).say("Do it.");
  play(script);
  for (let call = 0; call < calls; call += 1) {
    script.idle(1);
    script.request();
  }
  script.request();
  return JSON.stringify(decided);
}

describe("an idea of the context log", () => {
  it.each(Object.keys(examples) as (keyof typeof examples)[])("decides something: %s", (idea) => {
    const example = examples[idea];

    expect(decisions(example, ablated[idea])).not.toBe(decisions(example));
  });

  it("decides nothing where another one is left out that has no part in a session", () => {
    const others = [ablated.turns, ablated.names, ablated["fault-service"]];

    expect(decisions(examples.sparse, ...others)).toBe(decisions(examples.sparse));
  });
});
