// Verifies: SSOT 6 (evaluation plan): the words of the command line for policies.

import { namedPolicies, policyNames } from "@cm/replay";
import { describe, expect, it, vi } from "vitest";
import { policies } from "../../src/commands/policies.ts";
import { parsePolicies } from "../../src/commands/replay-options.ts";

describe("policies by name", () => {
  it("stand for themselves and for groups, each once", () => {
    const policies = parsePolicies("ssot-plan, lean,plain");

    expect(policies).toEqual(["plain", "store-only", "references", "full", "lean"]);
  });

  it.each(["", "toString", "plain,,log", "Plain"])("refuse %j", (value) => {
    expect(() => parsePolicies(value)).toThrow(/^Known policies: plain, /);
  });
});

describe("the list of policies", () => {
  it("has each name with its sentence, and the names for several", () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);

    policies();

    const printed = write.mock.calls.join("");
    write.mockRestore();
    for (const name of policyNames) expect(printed).toContain(namedPolicies[name].describe);
    expect(printed).toMatch(/^ssot-plan +plain, store-only, references, full$/m);
  });
});
