// Verifies: SSOT 5.12: another model's preset counts from the next request on.
import { defaultPrices } from "@cm/context-log";
import { type ContextLogPreset, noProtection } from "@cm/render";
import { expect, it } from "vitest";
import { SteeredPolicy } from "../../src/managed/steered-policy.ts";
import { managedWorld } from "../support/managed-over.ts";

it("the policy asks for the preset at each request", async () => {
  const { session } = await managedWorld();
  let preset: ContextLogPreset = "careful";
  const policy = new SteeredPolicy(
    () => preset,
    () => noProtection,
  );

  policy.decide(session.view(), defaultPrices);
  expect(policy.options.preset).toBe("careful");
  preset = "lean";
  policy.decide(session.view(), defaultPrices);

  expect(policy.options.preset).toBe("lean");
});
