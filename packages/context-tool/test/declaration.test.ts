// Verifies: one tool, in few characters, that explains itself to a model that never heard of it.
import { expect, it } from "vitest";
import { contextTool, contextToolName } from "../src/context-tool.ts";

it("weighs less than 600 characters with all of its rules, since every session pays them", () => {
  expect(JSON.stringify(contextTool).length).toBeLessThan(600);
});

it("has a name of its own, and a description for itself and for every parameter", () => {
  const { name, description, parameters } = contextTool;

  expect(name).toBe(contextToolName);
  expect(name).toMatch(/^cm_/);
  for (const said of [description, ...Object.values(parameters.properties).map((one) => one.description)]) {
    expect(said).toMatch(/\w{2}/);
  }
});

it("says what each action does that its name does not, and that notices are never written", () => {
  for (const action of ["show", "release", "pin", "list"]) expect(contextTool.description).toContain(action);
  expect(contextTool.description).toContain("never write");
});

it("stands on plain JSON Schema that every provider takes", () => {
  expect(JSON.stringify(contextTool.parameters)).not.toMatch(/anyOf|oneOf|allOf|const|\$ref|"type":\[/);
});
