import { describe, expect, it } from "vitest";
import { circlesOf, folderFaults, folderOrders } from "./folders.ts";
import { members, sourcesBelow } from "./workspace.ts";

describe("the folders of a package", () => {
  it.each(Object.entries(folderOrders))("of %s import only those below them", (name, order) => {
    const files = sourcesBelow(name.startsWith("apps/") ? `${name}/src` : `packages/${name}/src`, "**/*.ts");
    const folders = new Set(files.filter(({ path }) => path.includes("/")).map(({ path }) => path.split("/")[0]));

    expect(folderFaults(order, files)).toEqual([]);
    expect([...folders].sort()).toEqual([...order.folders].sort());
  });

  const all = members.map(({ folder }) => folder);
  it.each(all)("of %s have no circle of files, of types neither", (folder) => {
    expect(circlesOf(sourcesBelow(`${folder}/src`, "**/*.ts"))).toEqual([]);
  });
});

describe("the checker of folders", () => {
  const order = { folders: ["low", "high"] };

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

  it("puts the files directly in src below all folders where the order names those above", () => {
    const roofed = { ...order, roof: ["index.ts"] };
    const text = 'import { c } from "../contract.ts";';

    expect(folderFaults(order, [{ path: "low/a.ts", text }])).toHaveLength(1);
    expect(folderFaults(roofed, [{ path: "low/a.ts", text }])).toEqual([]);
    expect(folderFaults(roofed, [{ path: "contract.ts", text: 'import { a } from "./low/a.ts";' }])).toEqual([
      "contract.ts imports low/a.ts, which is above it",
    ]);
  });

  it("names each circle of files once, also one of types", () => {
    const files = [
      { path: "low/a.ts", text: 'import type { B } from "../b.ts";' },
      { path: "b.ts", text: 'import { c } from "./low/c.ts";' },
      { path: "low/c.ts", text: 'import { a } from "./a.ts";' },
    ];

    expect(circlesOf(files)).toEqual(["low/a.ts -> b.ts -> low/c.ts -> low/a.ts"]);
    expect(circlesOf(files.slice(0, 2))).toEqual([]);
  });
});
