import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "@cm/testkit";
import { textOfShape } from "./text-of-shape.ts";

/** A rule of others: the shape of the secret, and where the shape says too little alone, whose name stands before it. */
export interface ListedRule {
  readonly id: string;
  readonly secret: string;
  readonly name?: string;
  readonly ignoreCase?: boolean;
}

/** The default rules of Gitleaks, without the few whose shape is a whole command or document. */
export const listedRules: readonly ListedRule[] = JSON.parse(
  readFileSync(join(import.meta.dirname, "../fixtures/gitleaks/rules.json"), "utf8"),
);

export interface MadeSecret {
  readonly rule: ListedRule;
  /** One word in lower case, as the maker of the key is called. */
  readonly owner: string;
  readonly value: string;
}

export function madeSecret(rule: ListedRule, random: Random): MadeSecret {
  const name = rule.name === undefined ? "acme" : textOfShape(rule.name, random).toLowerCase();
  const body = () => Array.from({ length: 6 }, () => textOfShape("[A-Za-z0-9+/]{64}", random)).join("\n");
  // The list's shape for what stands between BEGIN and END takes any text.
  const value =
    rule.id === "private-key"
      ? `-----BEGIN RSA PRIV${"ATE"} KEY-----\n${body()}\n-----END RSA PRIV${"ATE"} KEY-----`
      : textOfShape(rule.secret, random, rule.ignoreCase);
  return { rule, owner: name.replace(/[^a-z]+(.|$)/g, "_$1").replace(/_$/, ""), value };
}

/** Whether half of the secret, or more, can be read in a text. */
export function leaks(text: string, { value }: MadeSecret): boolean {
  const half = Math.ceil(value.length / 2);
  for (let at = 0; at + half <= value.length; at++) if (text.includes(value.slice(at, at + half))) return true;
  return false;
}

const camel = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
const headed = (name: string) => name.replace(/(?:^|_)(.)/g, (part) => part.replace("_", "-").toUpperCase());
const json = (value: string) => JSON.stringify(value).slice(1, -1);

/** Nothing in these texts says that there is a secret. */
export const namelessCarriers: Readonly<Record<string, (secret: MadeSecret) => string>> = {
  prose: ({ value }) => `I found ${value} in the settings; what is it for?`,
  quoted: ({ value }) => `connect("${value}", { retries: 3 });`,
  json: ({ value }) => JSON.stringify({ items: [{ id: 1, data: value }] }),
  "json in json": ({ value }) => JSON.stringify({ body: JSON.stringify({ data: value }) }),
  url: ({ value }) => `GET /v1/items?q=${value}&page=2`,
  diff: ({ value }) => `@@ -1,2 +1,2 @@\n-  thing: old\n+  thing: ${value}\n`,
  environment: ({ value }) => `PORT=8080\nMY_THING=${value}\nDEBUG=1\n`,
};

/** A name says it, and each spells the name another way. */
export const namingCarriers: Readonly<Record<string, (secret: MadeSecret) => string>> = {
  "KW_API_KEY=": ({ owner, value }) => `PORT=8080\n${owner.toUpperCase()}_API_KEY=${value}\n`,
  "KW_KEY=": ({ owner, value }) => `PORT=8080\n${owner.toUpperCase()}_KEY=${value}\nDEBUG=1\n`,
  'KW_SECRET="': ({ owner, value }) => `export ${owner.toUpperCase()}_SECRET="${value}"\n`,
  '"kwToken":': ({ owner, value }) => JSON.stringify({ port: 1, [`${camel(owner)}Token`]: value }),
  '"kwKey":': ({ owner, value }) => JSON.stringify({ [`${camel(owner)}Key`]: value }, null, 2),
  "json in json": ({ owner, value }) => JSON.stringify({ body: JSON.stringify({ [`${owner}_key`]: value }) }),
  "kw_key: (YAML)": ({ owner, value }) =>
    value.includes("\n")
      ? `${owner}_key: |\n  ${value.replaceAll("\n", "\n  ")}\n`
      : `app:\n  ${owner}_key: ${value}\n`,
  "--kw-token": ({ owner, value }) => `deploy --${owner.replaceAll("_", "-")}-token ${value} --fast`,
  "X-Kw-Key: (header)": ({ owner, value }) => `curl -H 'X-${headed(owner)}-Key: ${value}' http://localhost:8080`,
  "?kw_key= (URL)": ({ owner, value }) => `GET /v1/items?${owner}_key=${value}&page=2`,
  "const kwKey = (diff)": ({ owner, value }) => `@@ -1 +1 @@\n-old();\n+const ${camel(owner)}Key = "${value}";\n`,
  "{name, value}": ({ owner, value }) => JSON.stringify({ name: `${owner.toUpperCase()}_KEY`, value }),
  "- name: / value:": ({ owner, value }) =>
    `env:\n  - name: ${owner.toUpperCase()}_TOKEN\n    value: "${json(value)}"\n`,
};
