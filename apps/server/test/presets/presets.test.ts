// Verifies: the file of presets is checked as a whole, and a mistake is named with its place and without its value.
import { describe, expect, it } from "vitest";
import { parsePresets } from "../../src/presets/read-presets.ts";

const model = { id: "m", api: "openai-completions", baseUrl: "http://127.0.0.1:1/v1" };
const read = (presets: object, more: object = {}) => parsePresets(JSON.stringify({ presets, ...more }), "presets.json");

describe("the file of presets", () => {
  it("may have comments, and gives the only preset to who names none", () => {
    const presets = parsePresets(
      `{ "presets": { "one": { "model": ${JSON.stringify(model)}, /* here */ } } }`,
      "presets.json",
    );

    expect(presets.get().name).toBe("one");
    expect(presets.get("one").preset).toMatchObject({ policy: "log", tools: ["read", "bash", "edit", "write", "ls"] });
  });

  it.each([
    ["text that is no JSON", () => parsePresets("{\n  presets", "presets.json"), "in line 2"],
    [
      "a field that it does not know",
      () => read({ p: { model, modle: "secret" } }),
      'presets.p: Unrecognized key: "modle"',
    ],
    ["a tool that is none", () => read({ p: { model, tools: ["reed"] } }), "presets.p.tools.0"],
    ["a tool twice", () => read({ p: { model, tools: ["read", "read"] } }), "names the tool read of p twice"],
    [
      "an approval of a tool without a body",
      () => read({ p: { model, tools: [{ name: "ask", description: "Asks." }], approve: ["ask"] } }),
      "approvals of ask of p, which has no body here",
    ],
    ["an approval of no tool", () => read({ p: { model, tools: ["read"], approve: ["bash"] } }), "approvals of bash"],
    [
      "a subagent without a preset",
      () => read({ p: { model, subagents: [{ name: "s", preset: "q", description: "x" }] } }),
      "preset q",
    ],
    ["a default that is not there", () => read({ p: { model } }, { default: "q" }), "names the default q"],
    ["no preset at all", () => read({}), "has no preset"],
  ])("refuses %s", (_what, parse, sentence) => {
    expect(parse).toThrow(
      expect.objectContaining({ code: "server/presets", message: expect.stringContaining(sentence) }),
    );
  });

  it("says which presets there are to who names another, or none of several", () => {
    const presets = read({ a: { model }, b: { model } });

    expect(() => presets.get("c")).toThrow("known: a, b");
    expect(() => presets.get()).toThrow("must name a preset: a, b");
  });
});
