// Verifies: issue 18.4: another model's preset counts from the next request on.
import { defaultPrices } from "@cm/object-model";
import { expect, it } from "vitest";
import { layoutOf } from "../../src/managed/manage.ts";
import type { Settings } from "../../src/settings/settings.ts";
import { someSettings } from "../support/command-world.ts";
import { managedWorld } from "../support/managed-over.ts";

it("the policy asks for the preset at each request", async () => {
  const { session } = await managedWorld();
  const asked: string[] = [];
  let preset: Settings["preset"] = "careful";
  const settings: Settings = {
    ...someSettings,
    get preset() {
      asked.push(preset);
      return preset;
    },
  };
  const { policy } = layoutOf(settings);
  asked.length = 0;

  policy.decide(session.view(), defaultPrices);
  preset = "lean";
  policy.decide(session.view(), defaultPrices);

  expect(asked).toEqual(["careful", "lean"]);
});
