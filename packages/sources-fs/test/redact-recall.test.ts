// @module-tag long
// Verifies: SSOT 5.10 (recall on 5,000 secrets made from a list of rules whose author did not write ours)
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "@cm/sources-fs";
import { createRandom } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { keyShapes } from "../src/redact/key-shapes.ts";
import { serviceKeyShapes } from "../src/redact/service-key-shapes.ts";
import { listedRules } from "./support/gitleaks.ts";
import { measureRecall, share, total } from "./support/recall.ts";
import { recallTable } from "./support/recall-table.ts";
import { textOfShape } from "./support/text-of-shape.ts";

const page = join(import.meta.dirname, "../../../docs/redaction.md");
const begin = "<!-- made by the test: begin -->\n";
const end = "<!-- made by the test: end -->";
const command =
  "CM_WRITE=1 pnpm exec vitest run --project @cm/sources-fs packages/sources-fs/test/redact-recall.test.ts";

/** What is known to be missed, and why. A rule that gets better must leave the list. */
const namelessGaps: Readonly<Record<string, string>> = {
  "facebook-access-token": "digits and a sign before what any text may have",
  jwt: "the list takes any text behind `ey`; every real one begins with `eyJ`",
  "jwt-base64": "the list allows backslashes in base64",
  "sidekiq-sensitive-url": "of an address the host stays, and here it may be more than half of what the list draws",
  "slack-app-token": "the list takes one drawn letter",
  "sourcegraph-access-token": "the list takes any 40 hexadecimal digits, as every commit of git has",
};
const namedGaps: Readonly<Record<string, string>> = {
  "asana-client-id": "sixteen digits are a number",
  "discord-client-id": "eighteen digits are a number",
  "sidekiq-secret": "two short halves around a colon",
};

const measured = measureRecall(5_000, 1);

describe("5,000 secrets made from the rules of others", () => {
  it("are redacted in nine of ten places where nothing around them names them", () => {
    expect(share(total(measured.nameless)), "nothing around them").toBeGreaterThanOrEqual(0.9);
    for (const [carrier, recall] of measured.nameless) expect(share(recall), carrier).toBeGreaterThanOrEqual(0.9);
  });

  it("are redacted in 95 of 100 places behind a name, whatever its form", () => {
    for (const [carrier, recall] of measured.named) expect(share(recall), carrier).toBeGreaterThanOrEqual(0.95);
  });

  it.each(listedRules.filter(({ name }) => name === undefined))("are known by their shape: $id", ({ id }) => {
    const recall = share(measured.rules.get(id)?.nameless ?? { tried: 1, found: 0 });

    if (id in namelessGaps) expect(recall).toBeLessThan(0.9);
    else expect(recall).toBeGreaterThanOrEqual(0.8);
  });

  it.each(listedRules.filter(({ name }) => name !== undefined))("are known by their name: $id", ({ id }) => {
    const recall = share(measured.rules.get(id)?.named ?? { tried: 1, found: 0 });

    if (id in namedGaps) expect(recall).toBeLessThan(0.8);
    else expect(recall).toBeGreaterThanOrEqual(0.8);
  });

  it("have the table in docs/redaction.md, which this test makes", () => {
    const text = readFileSync(page, "utf8");
    const [before = "", rest = ""] = text.split(begin);
    const [, after = ""] = rest.split(end);
    const made = `${before}${begin}\n${recallTable(measured)}\n${end}${after}`;

    if (process.env.CM_WRITE === "1") writeFileSync(page, made);

    expect(readFileSync(page, "utf8"), `the rules changed: ${command}`).toBe(made);
  });
});

describe("each shape of ours", () => {
  const redact = createRedactor();
  const random = createRandom(11);

  it.each([...keyShapes, ...serviceKeyShapes].map((shape) => [shape.rule, shape.starts.join(" "), shape] as const))(
    "finds what has it: %s %s",
    (_, __, { shape }) => {
      const whole = new RegExp(`^(?:${shape.source})$`, shape.flags.replace("y", ""));
      const drawn = Array.from({ length: 60 }, () => textOfShape(shape.source, random)).filter((text) =>
        whole.test(text),
      );

      const missed = drawn.filter((text) => text.length >= 20 && redact(`It was ${text} then.`).text.includes(text));

      expect(drawn.length).toBeGreaterThan(5);
      expect(missed.length / drawn.length, missed[0]).toBeLessThan(0.25);
    },
  );
});
