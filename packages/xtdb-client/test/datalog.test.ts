// Verifies: T12, query text is never built from data.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { codeText, queryLiteral } from "../src/datalog.ts";
import { clientLimits, clojure, connectXtdb, type Datalog, datalog } from "../src/index.ts";
import { goodReply, scriptedServer } from "./support/scripted-server.ts";
import { thrown } from "./support/thrown.ts";

/** What types would forbid. */
const tag = datalog as (text: unknown, ...values: readonly unknown[]) => Datalog;

describe("datalog refuses", () => {
  it.each<readonly [string, () => unknown]>([
    ["a substitution", () => tag(Object.freeze(Object.assign(["a", "b"], { raw: Object.freeze(["a", "b"]) })), "x")],
    ["a value beside one text", () => tag(Object.freeze(Object.assign(["a"], { raw: Object.freeze(["a"]) })), "x")],
    ["a string", () => tag("{:find [e]}")],
    ["an array", () => tag(["{:find [e]}"])],
    ["a forged template", () => tag(Object.assign(["{:find [e]}"], { raw: ["{:find [e]}"] }))],
    ["nothing", () => tag(undefined)],
  ])("%s", (_, run) => {
    expect(thrown(run).code).toBe("xtdb/invalid");
  });

  it("a text beyond the bound", () => {
    const text = [" ".repeat(clientLimits.queryCharsMax + 1)];

    expect(() => tag(Object.freeze(Object.assign(text, { raw: Object.freeze([...text]) })))).toThrow(/characters/);
  });
});

it("query takes nothing but what datalog made", async () => {
  const client = connectXtdb({ urls: "http://127.0.0.1:1" });
  const forged = ["{:find [e]}", { kind: "datalog" }, clojure`{:find [e]}`, null, Object.create(datalog`{}`)];

  for (const query of forged) {
    await expect(client.query(query as Datalog)).rejects.toMatchObject({ code: "xtdb/invalid" });
  }
  await client.close();
});

it("the text goes as it stands, backslashes included, as a string of its own", () => {
  expect(queryLiteral(datalog`{:find [e] :where [[e :a "x\ny"]]}`)).toBe(
    String.raw`"{:find [e] :where [[e :a \"x\\ny\"]]}"`,
  );
  expect(codeText(clojure`(fn [ctx] "\n")`)).toBe(String.raw`(fn [ctx] "\n")`);
});

it("arguments go beside the text and cannot leave their place", async () => {
  const server = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: server.url });

  await client.query(datalog`{:find [e] :in [n]}`, ['"] :query "{}"']);

  expect(server.requests[0]?.body).toBe(String.raw`{:query "{:find [e] :in [n]}" :in-args ["\"] :query \"{}\""]}`);
  await client.close();
});

it("no source file makes a query from anything but a plain template", () => {
  const folder = new URL("../src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const texts = files.map((name) => readFileSync(new URL(name, folder), "utf8"));

  // Comments apart, every use of a tag is a template without substitutions.
  const templates = texts.join("\n").match(/(?<![\w*] )\b(?:datalog|clojure)`[^`]*`/g) ?? [];

  expect(templates.length).toBeGreaterThan(4);
  expect(templates.filter((template) => template.includes("${"))).toEqual([]);
});
