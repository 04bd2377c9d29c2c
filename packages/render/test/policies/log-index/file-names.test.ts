import { describe, expect, it } from "vitest";
import { FileNames, namesItself } from "../../../src/policies/log-index/file-names.ts";

describe("the number of a file", () => {
  it("is one for an id, an absolute and a relative path of it", () => {
    const names = new FileNames();

    const number = names.numberOf("/w/src/a.ts", "9f");

    expect(names.numberOf("src/a.ts", undefined)).toBe(number);
    expect(names.numberOf("./src/a.ts", "9f")).toBe(number);
    expect(names.numberOf("anything", "9f")).toBe(number);
    expect(names.idOf(number)).toBe("9f");
  });

  it("keeps files apart that only end alike", () => {
    const names = new FileNames();

    expect(names.numberOf("src/a.ts", undefined)).not.toBe(names.numberOf("src/ba.ts", undefined));
    expect(names.numberOf("one/a.ts", undefined)).not.toBe(names.numberOf("two/a.ts", undefined));
  });

  it("keeps files of one name apart that two relative paths name in two folders", () => {
    const names = new FileNames();

    const [inner, absolute] = [
      names.numberOf("x/package.json", undefined),
      names.numberOf("/w/x/package.json", undefined),
    ];

    expect(names.numberOf("package.json", undefined)).not.toBe(inner);
    expect(absolute).toBe(inner);
    expect(names.numberOf("/w/package.json", undefined)).not.toBe(inner);
    expect(names.numberOf("/w/package.json", undefined)).toBe(names.numberOf("package.json", undefined));
    expect(names.numberOf("/w/y/package.json", undefined)).not.toBe(names.numberOf("package.json", undefined));
  });

  it("keeps files apart that the harness tells apart", () => {
    const names = new FileNames();

    expect(names.numberOf("a.ts", "1")).not.toBe(names.numberOf("src/a.ts", "2"));
  });
});

describe("the folder at which relative paths begin", () => {
  const told = (...named: readonly (readonly [asked: string, path: string])[]): string | undefined => {
    const names = new FileNames();
    for (const [asked, path] of named) names.numberOf(asked, path);
    return names.workFolder((id) => id);
  };

  it.each([
    [
      [
        ["src/a.ts", "/w/src/a.ts"],
        ["a.ts", "/w/lib/a.ts"],
      ],
      "/w",
    ],
    [
      [
        ["a.ts", "/w/lib/a.ts"],
        ["b.ts", "/w/lib/b.ts"],
        ["src/a.ts", "/w/src/a.ts"],
      ],
      "/w/lib",
    ],
    [
      [
        ["link.ts", "/w/a.ts"],
        ["/w/b.ts", "/w/b.ts"],
        ["../w/c.ts", "/w/c.ts"],
      ],
      undefined,
    ],
  ] as const)("of %j is %s", (named, folder) => {
    expect(told(...named)).toBe(folder);
  });
});

describe("a name of a file as it lies there", () => {
  it.each([
    ["/w/src/a.ts", true],
    ["src/a.ts", true],
    ["./lib/../src/a.ts", true],
    ["../../w/src/a.ts", true],
    ["~/src/a.ts", true],
    ["link/a.ts", false],
    ["b.ts", false],
    ["rc/a.ts", false],
  ])("is %s: %s", (asked, is) => {
    expect(namesItself(asked, "/w/src/a.ts")).toBe(is);
  });
});
