import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { threadSources } from "../vitest.shared.ts";
import { published, root, sourcesBelow } from "./workspace.ts";

/** The condition `source` of a manifest's entries: what `npm run dev` and `npm run affected` load in place of the build. */
describe.each(published)("the entries of $name", ({ folder, exports = {}, publishConfig = {} }) => {
  const entries = Object.entries(exports).filter(([path]) => path !== "./package.json") as [
    string,
    { types: string; source?: string; default: string },
  ][];

  it("lead to sources that are there", () => {
    const missing = entries.filter(
      ([, { source = "" }]) => !source.startsWith("./src/") || !existsSync(join(root, folder, source)),
    );

    expect(missing).toEqual([]);
  });

  it("are published without them, and otherwise as they are here", () => {
    const built = entries.map(([path, { types, default: file }]) => [path, { types, default: file }]);

    expect(publishConfig.exports).toEqual({ ...Object.fromEntries(built), "./package.json": "./package.json" });
  });
});

it("threads that start from a file are known, so that they start from a source, too", () => {
  const started = sourcesBelow("packages", "*/src/**/*.ts").flatMap(({ text }) => [
    ...text.matchAll(/new URL\("[^"]+\.js", import\.meta\.url\)/g),
  ]);

  expect(started.map(([text]) => text).sort()).toEqual(Object.keys(threadSources).sort());
});
