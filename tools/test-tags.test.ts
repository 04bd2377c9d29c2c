import { describe, expect, it } from "vitest";
import { tags, tagsOf } from "../vitest.shared.ts";
import { tagNeededBy } from "./test-tags.ts";
import { sourcesBelow } from "./workspace.ts";

const files = sourcesBelow(".", "{packages/*/test,apps/*/test,xtdb/test,tools}/**/*.test.ts").filter(
  ({ path }) => !path.includes("/node_modules/"),
);

describe("the tags of test files", () => {
  it("say what a file starts, so that none of it is in `npm run check`", () => {
    const missing = files.flatMap(({ path, text }) => {
      const needed = tagNeededBy(path);
      return needed === undefined || tagsOf(text).includes(needed) ? [] : [`${path} needs: // @module-tag ${needed}`];
    });

    expect(missing).toEqual([]);
  });

  it("are tags that there are", () => {
    const names = tags.map(({ name }) => name);

    expect(files.flatMap(({ text }) => tagsOf(text)).filter((tag) => !names.includes(tag))).toEqual([]);
  });

  it("leave most files to `npm run check`", () => {
    const fast = files.filter(({ text }) => tagsOf(text).length === 0);

    expect(fast.length).toBeGreaterThan(files.length / 2);
  });
});

describe("what a test file needs", () => {
  it.each([
    ["packages/store-xtdb/test/texts.test.ts", "xtdb"],
    ["packages/pi-extension/test/scenarios/print.test.ts", "pi"],
    ["tools/bootstrap.test.ts", "process"],
    ["packages/sources-s3/test/observe.test.ts", "process"],
    ["tools/boundaries.test.ts", undefined],
    ["packages/render/test/layouts/growth.test.ts", undefined],
  ])("is known of %s: %s", (path, tag) => {
    expect(tagNeededBy(path)).toBe(tag);
  });
});
