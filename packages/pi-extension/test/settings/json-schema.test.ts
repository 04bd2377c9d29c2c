// Verifies: SSOT 5.12: the schema for editors says what settings files may have, and nothing else.
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { expectedAt } from "../../src/settings/expected.ts";
import { projectSchema, userSchema } from "../../src/settings/file-schema.ts";

const shipped = new URL("../../settings.schema.json", import.meta.url);

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly [key: string]: unknown;
}

/** What a setting does; what it has to be stands behind it. */
const purposes: Readonly<Record<string, string>> = {
  $schema: "Where editors find this schema.",
  off: "Whether every session begins without Context Manager.",
  preset: "How much is folded: careful folds less, lean more.",
  notices: "How much is said when outputs are folded.",
  protect: "What is never folded.",
  "protect.tools": "Tools whose outputs stay; * stands for anything.",
  "protect.paths": "Files whose text stays.",
  "protect.prompts": "So many newest prompts, with all that came of them, stay.",
  ignore: "More files that are never opened, relative to each root.",
  models: "Settings for the model that runs; the most special name that fits wins.",
  layout: "How the prompt is built.",
  store: "Where objects are kept.",
  mounts: "Where the agent's paths lie, if its tools work in a sandbox.",
  roots: "Folders outside of which no file is opened.",
  openSecretFiles:
    "Files that are closed because their names are those of secrets, and that you open, relative to each root.",
  sources: "Where files come from beside this machine.",
  discover: "Files of other sessions that the agent may list.",
};

/** What editors show beside a name. */
function described(schema: Schema, at: readonly string[] = []): Schema {
  const { properties, additionalProperties, ...rest } = schema;
  const inner = Object.entries(properties ?? {}).map(([name, each]) => {
    const where = [...at, name];
    const place = where.join(".");
    const purpose = purposes[place.replace(/^models\.\*\./, "")];
    const form = expectedAt(place);
    const description = [...(purpose === undefined ? [] : [purpose]), `${form[0]?.toUpperCase()}${form.slice(1)}.`];
    return [name, { description: description.join(" "), ...described(each, where) }] as const;
  });
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(inner) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === "object"
              ? described(additionalProperties, [...at, "*"])
              : additionalProperties,
        }),
  };
}

function made(): Schema {
  const schema = described(z.toJSONSchema(userSchema) as Schema);
  return {
    ...schema,
    title: "Settings of Context Manager",
    description: `A project's own file may have: ${Object.keys(projectSchema.shape).join(", ")}.`,
  };
}

it("is shipped as the code reads settings; CM_WRITE_SCHEMA=1 writes it anew", () => {
  if (process.env.CM_WRITE_SCHEMA === "1") writeFileSync(shipped, `${JSON.stringify(made(), null, 2)}\n`);
  const { files } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    files: string[];
  };

  expect(JSON.parse(readFileSync(shipped, "utf8"))).toEqual(made());
  expect(files).toContain("settings.schema.json");
});

it("describes every name in words", () => {
  const texts = [...JSON.stringify(made()).matchAll(/"description":"(.*?)"[,}]/g)].map(([, text]) => text);

  expect(texts.length).toBeGreaterThan(20);
  expect(texts.filter((text) => /left out/i.test(text ?? ""))).toEqual([]);
});
