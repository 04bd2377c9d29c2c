import { describe, expect, it } from "vitest";
import { linkType, newestLink } from "../../src/link/link-entry.ts";
import { entriesOf, entry, userMessage } from "../support/items.ts";

const link = { v: 1, session: "s", piSession: "p", n: 3 } as const;
const custom = (data: unknown, customType: string = linkType) => ({ type: "custom", customType, data }) as const;

const malformed: readonly unknown[] = [
  ...[undefined, null, 7, "link", [], {}],
  ...[
    { ...link, v: 2 },
    { ...link, session: "" },
    { ...link, session: 7 },
    { ...link, piSession: null },
  ],
  ...[
    { ...link, n: -1 },
    { ...link, n: 1.5 },
    { ...link, n: "3" },
  ],
];

describe("the newest link of a branch", () => {
  it("is the last one, with or without a step", () => {
    const { n: _n, ...without } = link;

    expect(newestLink(entriesOf([custom(link), custom({ ...link, n: 4 }), entry(userMessage("x"))]))?.n).toBe(4);
    expect(newestLink(entriesOf([custom(without)]))).toEqual(without);
  });

  it.each(malformed)("passes over what is no link: %j", (data) => {
    expect(newestLink(entriesOf([custom(link), custom(data)]))).toEqual(link);
  });

  it("passes over entries of others", () => {
    expect(newestLink(entriesOf([custom(link, "other")]))).toBeUndefined();
    expect(newestLink([])).toBeUndefined();
  });

  it("is that of one session of Pi where one is named", () => {
    const entries = entriesOf([custom(link), custom({ ...link, piSession: "fork", n: 9 })]);

    expect(newestLink(entries, "p")).toEqual(link);
    expect(newestLink(entries, "nobody")).toBeUndefined();
  });
});
