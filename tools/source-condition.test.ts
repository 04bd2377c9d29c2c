import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sourceCondition, threadSources } from "../vitest.shared.ts";
import { published, root, sourcesBelow } from "./workspace.ts";

/** The condition `@cm/source` of a manifest's entries: what `npm run dev` and `npm run affected` load in place of the build. */
describe.each(published)("the entries of $name", ({ folder, exports = {}, publishConfig = {} }) => {
  const entries = Object.entries(exports).filter(([path]) => path !== "./package.json") as [
    string,
    { readonly types: string; readonly [sourceCondition]?: string; readonly default: string },
  ][];

  it("lead to sources that are there", () => {
    const missing = entries.filter(
      ([, { [sourceCondition]: source = "" }]) =>
        !source.startsWith("./src/") || !existsSync(join(root, folder, source)),
    );

    expect(missing).toEqual([]);
  });

  it("are published without them, and otherwise as they are here", () => {
    const built = entries.map(([path, { types, default: file }]) => [path, { types, default: file }]);

    expect(publishConfig.exports).toEqual({ ...Object.fromEntries(built), "./package.json": "./package.json" });
  });
});

it("no dependency has the same condition, whose sources a published package seldom brings", () => {
  const manifests = globSync("node_modules/.pnpm/*/node_modules/{*,@*/*}/package.json", { cwd: root });
  const others = manifests.filter((path) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, path), "utf8"));
    return !`${name}`.startsWith("@cm/") && JSON.stringify(exports ?? {}).includes(`"${sourceCondition}":`);
  });

  expect(manifests.length).toBeGreaterThan(100);
  expect(others).toEqual([]);
});

it("threads that start from a file are known, so that they start from a source, too", () => {
  const started = sourcesBelow("packages", "*/src/**/*.ts").flatMap(({ text }) => [
    ...text.matchAll(/new URL\("[^"]+\.js", import\.meta\.url\)/g),
  ]);

  expect(started.map(([text]) => text).sort()).toEqual(Object.keys(threadSources).sort());
});
