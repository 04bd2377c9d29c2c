import { describe, expect, it } from "vitest";
import { folderFaults, folderOrders } from "./folders.ts";
import { sourcesBelow } from "./workspace.ts";

describe("the folders of a package", () => {
  it.each(Object.entries(folderOrders))("of %s import only those below them", (name, order) => {
    const files = sourcesBelow(`packages/${name}/src`, "**/*.ts");
    const folders = new Set(files.filter(({ path }) => path.includes("/")).map(({ path }) => path.split("/")[0]));

    expect(folderFaults(order, files)).toEqual([]);
    expect([...folders].sort()).toEqual([...order].sort());
  });
});

describe("the checker of folders", () => {
  const order = ["low", "high"];

  it.each([
    ["low/a.ts", 'import { b } from "../high/b.ts";', "low/a.ts imports high/b.ts, which is above it"],
    ["low/a.ts", 'export * from "../index.ts";', "low/a.ts imports index.ts, which is above it"],
    ["limits.ts", 'import { b } from "./low/b.ts";', "limits.ts imports low/b.ts, which is above it"],
    ["other/a.ts", "", "other/a.ts lies in a folder without a place in tools/folders.ts"],
  ])("reports %s with %s", (path, text, fault) => {
    expect(folderFaults(order, [{ path, text }])).toContain(fault);
  });

  it("accepts imports from above, of the same folder, and of errors and limits", () => {
    const text =
      'import { a } from "../low/a.ts";\nimport { c } from "./c.ts";\nimport { limits } from "../limits.ts";';

    expect(folderFaults(order, [{ path: "high/b.ts", text }])).toEqual([]);
  });
});
