// A build is made again when its sources or the types that it reads have changed (`nx.json`). A program into which a
// sibling is built also has the sibling's code in it, which its own inputs must then name.
import { expect, it } from "vitest";
import { readJson, sourcesBelow } from "./workspace.ts";

const bundling = sourcesBelow(".", "{packages,apps}/*/tsup.config.ts")
  .filter(({ text }) => /(noExternal|bundled): \[[^\]]*@cm/.test(text))
  .map(({ path }) => path.replace("/tsup.config.ts", ""));

it("a program that bundles a sibling is built again after an edit of its code", () => {
  const inputs = bundling.map((folder) => {
    const { nx } = readJson(`${folder}/package.json`) as { nx?: { targets: { build: { inputs: unknown[] } } } };
    return [folder, nx?.targets.build.inputs.includes("^production")];
  });

  expect(inputs).toEqual([
    ["apps/bench", true],
    ["apps/experiments", true],
  ]);
});
