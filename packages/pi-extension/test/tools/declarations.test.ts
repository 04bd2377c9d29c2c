// Verifies: issue 8.4: the model gets five tools, in few words, and the rule for using them.
import { describe, expect, it } from "vitest";
import { toolNames } from "../../src/tools/register-tools.ts";
import { registeredTools } from "../support/run-tool.ts";

const tools = registeredTools(undefined);

/** Characters that a tool adds to the head of every request: its declaration, and its line in Pi's list of tools. */
function weight(name: string): number {
  const { description, parameters, promptSnippet = "" } = tools.get(name) ?? { description: "", parameters: {} };
  const declaration = JSON.stringify({ name, description, input_schema: parameters });
  return declaration.length + `- ${name}: ${promptSnippet}\n`.length;
}

describe("the tools of the model", () => {
  it.each([
    ["activate", 240],
    ["deactivate", 230],
    ["pin", 200],
    ["unpin", 160],
    ["list_objects", 600],
  ])("%s adds at most %i characters to the head of a request", (name, charsMax) => {
    expect(weight(name)).toBeGreaterThan(100);
    expect(weight(name)).toBeLessThanOrEqual(charsMax);
  });

  it("add at most 1,400 characters together, and their rules 450", () => {
    const all = [...tools.keys()].reduce((chars, name) => chars + weight(name), 0);
    const rules = [...tools.values()].flatMap(({ promptGuidelines = [] }) => promptGuidelines);

    expect(all).toBeLessThanOrEqual(1_400);
    expect(rules).toHaveLength(3);
    expect(rules.join("\n").length).toBeLessThanOrEqual(450);
  });

  it("are those that are named, stand in Pi's list and never run beside each other", () => {
    expect([...tools.keys()]).toEqual([...toolNames]);
    for (const { promptSnippet, executionMode } of tools.values()) {
      expect(promptSnippet).toMatch(/^[A-Z].{5,}/);
      expect(executionMode).toBe("sequential");
    }
  });

  it("stand on plain JSON Schema that every provider takes", () => {
    const schemas = JSON.stringify([...tools.values()].map(({ parameters }) => parameters));

    expect(schemas).not.toMatch(/anyOf|oneOf|allOf|const|\$ref|"type":\[/);
  });
});
