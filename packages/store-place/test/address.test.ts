// Verifies: one reading of what a setting names, and no login in what is shown of it.
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { namedStore, nodeUrls, shownStore } from "../src/index.ts";

const surroundings = { home: resolve("/home/me"), cwd: resolve("/srv") };

it.each([
  ["a.sqlite", { path: resolve("/srv/a.sqlite") }],
  ["~/a.sqlite", { path: resolve("/home/me/a.sqlite") }],
  ["C:\\a.sqlite", { path: resolve("/srv", "C:\\a.sqlite") }],
  ["http://a:1, https://b", { urls: ["http://a:1", "https://b"] }],
  ["http://a:1,", { urls: ["http://a:1"] }],
  ["http://a,postgres://b", undefined],
  ["postgres://me:secret@x/db", { postgres: "postgres://me:secret@x/db" }],
  ["postgresql://x:1/db?schema=a", { postgres: "postgresql://x:1/db?schema=a" }],
  ["postgres://[", undefined],
  ["mysql://x", undefined],
])("reads %j", (text, expected) => {
  expect(namedStore(text, surroundings)).toEqual(expected);
});

it("reads no URLs in an empty variable", () => {
  expect(nodeUrls(" ")).toEqual([]);
});

it.each([
  ["http://me:secret@x.example:1/", "http://x.example:1/"],
  ["https://x.example/?token=secret", "https://x.example/"],
  ["https://x.example/#secret", "https://x.example/"],
  ["http://me:secret@[", "an address that cannot be read"],
])("shows %s without what may be a login", (url, shown) => {
  expect(shownStore({ kind: "xtdb", urls: [url], namespace: "", token: "secret" })).toBe(shown);
  expect(shownStore({ kind: "xtdb", urls: [url, "http://y"], namespace: "team" })).toBe(`${shown}, http://y/ (team)`);
});

it.each([
  ["postgres://me:secret@x.example:1/db?schema=team&password=secret", undefined, "postgres://x.example:1/db (team)"],
  ["postgres://x/db", "mine", "postgres://x/db (mine)"],
  ["postgresql://me:secret@x/db", undefined, "postgresql://x/db"],
])("shows %s without its login, with its schema", (url, schema, shown) => {
  expect(shownStore({ kind: "postgres", url, ...(schema === undefined ? {} : { schema }) })).toBe(shown);
});

it("shows a file by its path", () => {
  expect(shownStore({ kind: "sqlite", path: "/a/b.sqlite" })).toBe("/a/b.sqlite");
});
