// @module-tag xtdb
// Verifies: no number in a body takes long to read, in whatever way it is written; digits elsewhere are taken as they are.
import { expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import { type Encoding, get, post, put } from "./support/ask.ts";
import { sharedNode } from "./support/shared-node.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);
/** A thread that reads them is held for minutes. */
const digits = "9".repeat(4_000_000);

const edn = (value: string): string => `{:tx-ops [[:xtdb.api/put {:xt/id "long" :v ${value}}]]}`;
const transit = (value: string): string =>
  `["^ ","~:tx-ops",[["~:xtdb.api/put",["^ ","~:xt/id","long","~:v",${value}]]]]`;

withXtdb("a number of four million digits", () => {
  it.each<[string, Encoding, string]>([
    ["in EDN", "edn", edn(digits)],
    ["with a sign", "edn", edn(`-${digits}`)],
    ["with a fraction", "edn", edn(`1.${digits}M`)],
    ["as a ratio", "edn", edn(`1/${digits}`)],
    ["in base 36", "edn", edn(`36r${digits}`)],
    ["in base 16", "edn", edn(`0x${digits}`)],
    ["behind a character that is a quote", "edn", edn(`[\\" ${digits} \\"]`)],
    ["behind a comment with a quote", "edn", edn(`; "\n${digits}`)],
    ["that is discarded", "edn", edn(`#_${digits} 1`)],
    ["behind a string with quotes", "edn", edn(`["\\\\" ${digits} ""]`)],
    ["in transit", "transit", transit(`"~n${digits}"`)],
    ["as transit's decimal", "transit", transit(`"~f${digits}"`)],
    ["as transit's integer", "transit", transit(`"~i${digits}"`)],
    ["in transit without a tag", "transit", transit(digits)],
    ["with its tag apart", "transit", transit(`["~#n","${digits}"]`)],
    ["with its tag escaped", "transit", transit(`"\\u007e\\u006e${digits}"`)],
    ["in JSON", "json", `{"tx-ops":[["put",{"xt/id":"long","v":${digits}}]]}`],
  ])("is refused %s", async (_how, send, body) => {
    const { url } = await sharedNode();

    expect((await post(url, "submit-tx", body, { send })).status).toBe(400);
  });

  it("is refused in transit that is no UTF-8", async () => {
    const { url } = await sharedNode();
    const body = Buffer.from(transit(`"~n${digits.slice(0, 1_000_000)}"`), "utf16le");

    expect((await post(url, "submit-tx", body, { send: "transit" })).status).toBe(400);
  });

  it("is refused as an argument of a query", async () => {
    const { url } = await sharedNode();
    const query = `{:query {:find [e] :in [n] :where [[e :v n]]} :in-args [${digits}]}`;

    expect((await post(url, "query", query)).status).toBe(400);
  });
});

withXtdb("digits that are no long number", () => {
  it("are kept: in strings, in names, and up to 1,000 in a number", async () => {
    const { url } = await sharedNode();
    const some = "8".repeat(5_000);
    const number = "7".repeat(999);

    await put(
      url,
      `{:xt/id "digits" :text "\\"${some}\\\\" :name :n${some} :number ${number} :sign - :list [1,-2;3\n4]}`,
    );
    const { body } = await get(url, "entity?eid=digits", "edn");

    expect(body).toContain(`"\\"${some}\\\\"`);
    expect(body).toContain(`:n${some}`);
    expect(body).toContain(`${number}N`);
    const text = `"a \\"~n${some}"`;
    expect((await post(url, "submit-tx", transit(text), { send: "transit" })).status).toBe(202);
  });
});
