// Verifies: SSOT 4.1
import { rendererFor } from "@cm/render";
import { describe, expect, it } from "vitest";
import { withIds } from "../../src/policies/ids.ts";
import { namedPolicies } from "../../src/policies/named-policies.ts";

describe("the names of objects in a replay", () => {
  it.each(["ssot", "full"] as const)("can be short under policy %s", (name) => {
    expect(withIds(namedPolicies[name], "alias").renderer).toBe(rendererFor("ssot-alias/4"));
    expect(withIds(namedPolicies[name], "full")).toBe(namedPolicies[name]);
  });

  it("stay as they are under other layouts", () => {
    expect(withIds(namedPolicies.log, "alias")).toBe(namedPolicies.log);
  });
});
