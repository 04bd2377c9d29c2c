// Verifies: T16 (no input makes a rule more than linear)
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@cm/sources-fs";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { plantedKinds, plantedSecrets } from "./support/planted-secrets.ts";
import { hasNestedRepeat, regexLiterals } from "./support/regex-literals.ts";

const sources = join(import.meta.dirname, "../src");
const folders = ["redact", "rules", "discovery"];
const million = 1024 * 1024;
/** Ten times what T16 asks for: the machine may be busy. What is not linear takes minutes. */
const msMax = 1_000;

function codeOf(folder: string): readonly string[] {
  return readdirSync(join(sources, folder)).map((name) => readFileSync(join(sources, folder, name), "utf8"));
}

describe("patterns", () => {
  it("repeat nothing that repeats", () => {
    const literals = folders.flatMap((folder) => codeOf(folder).flatMap(regexLiterals));

    expect(literals.length).toBeGreaterThan(100);
    expect(literals.filter(hasNestedRepeat)).toEqual([]);
  });

  it("have bounded repeats where they are tried at many places of a text", () => {
    const code = ["key-shapes.ts", "key-structures.ts", "find-in-urls.ts", "find-assigned.ts"].map((name) =>
      readFileSync(join(sources, "redact", name), "utf8"),
    );

    const sticky = code.flatMap((text) =>
      [...text.matchAll(/\/((?:[^/\n\\]|\\.)+)\/i?y\b/g)].map(([, source]) => source ?? ""),
    );

    expect(sticky.length).toBeGreaterThan(60);
    expect(sticky.filter((source) => /(?<!\\)[*+](?![^[]*\])/.test(source))).toEqual([]);
  });

  it("are told from ones that may explode by this check", () => {
    expect(
      ["(a+)+", "(?:a|b*)*c", "(?:(?:ab)+c?){2,}", "([a-z]{1,9})*"].filter((source) => !hasNestedRepeat(source)),
    ).toEqual([]);
    expect(["(?:ab)+", "[a+]+(?:b|c)?", "(?:a{3})+", "\\(a+\\)+", "(?:a+)?b{0,2}"].filter(hasNestedRepeat)).toEqual([]);
  });
});

describe("redaction of a megabyte that is hostile to", () => {
  const redact = createRedactor();
  const repeated = (text: string) => text.repeat(Math.ceil(million / text.length)).slice(0, million);
  const begin = "-----BEGIN PRIV".concat("ATE KEY-----");

  const shaped = plantedSecrets(plantedKinds.length, createRandom(3)).flatMap(({ kind, value }) => [
    [kind, value],
    [`${kind}, always cut short`, `${value.slice(0, Math.min(value.length - 3, 24))} `],
  ]);
  const others = [
    ["runs of letters and digits", "aB3-"],
    ["starts of keys in one run", "eyJ-sk-ghp_xoxb-AIza_"],
    ["starts behind dots", "SG.hvs.eyJ.dp.pt."],
    ["names of values", "token"],
    ["names and signs", "token=secret:password=>"],
    ["names and blanks", "--token        "],
    ["names that follow each other", "DB_PASSWORD=apiKey=client_secret2:"],
    ["ends of private keys", begin.replace("BEGIN", "END")],
    ["quotes", 'password=\\\\\\"'],
    ["values that are none", `password="${"a".repeat(155)} `],
    ["addresses", "://a:b://"],
    ["logins without a host", `://${"a".repeat(120)}:`],
    ["signatures", "&sig=&sig=%2F"],
    ["private keys without an end", `${begin}\n`],
    ["private keys that only begin", begin.slice(0, 26)],
    ["one private key without an end", `${begin}\n`.padEnd(million, "MIIEvQIBADANBgkq\n")],
    ["colour codes", "[33;1;31m"],
    ["digits", "1234567890:"],
    ["nothing", " "],
    ["characters of two bytes", "牌ŁtokenŁ=ł"],
  ];

  it.each([...shaped, ...others])("%s", { timeout: 60_000 }, (_, piece = "") => {
    const text = repeated(piece);
    const spent: number[] = [];
    do {
      const start = performance.now();
      redact(text);
      spent.push(performance.now() - start);
    } while (Math.min(...spent) > msMax && spent.length < 3);

    expect(Math.min(...spent)).toBeLessThan(msMax);
  });
});
