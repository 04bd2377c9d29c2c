// Verifies: a policy of a person's own is replayed by its file, after the suite of policies has passed it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { policyEntry } from "../../src/commands/own-policy.ts";
import { parseChoices } from "../../src/commands/replay-options.ts";

const folder = mkdtempSync(join(tmpdir(), "cm-own-policy-"));
afterAll(() => rmSync(folder, { recursive: true }));

const readme = readFileSync(new URL("../../../../packages/context-log/README.md", import.meta.url), "utf8");

function written(name: string, text: string): `${string}.mjs` {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file as `${string}.mjs`;
}

describe("a policy in a file", () => {
  it("is replayed under the name of its file", async () => {
    const file = written("mine.mjs", `import { layouts } from "@cm/render";\nexport default layouts.plain;`);

    const { name, policy } = await policyEntry(file);

    expect(parseChoices(`plain, ${file},plain`)).toEqual(["plain", file]);
    expect(name).toBe(file);
    expect(policy.describe).toContain("mine.mjs");
  });

  it("may be the worked one of the README of policies, which holds every law", async () => {
    const [, worked = ""] = /## Fast policies.*?^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
    const text = `${stripTypeScriptTypes(worked)}
      import { layouts } from "@cm/render";
      export default { policy: foldOld, renderer: layouts.log.renderer };`;

    expect((await policyEntry(written("worked.mjs", text))).policy.describe).toContain("fold-old");
  });

  it("is refused with the law that it breaks", async () => {
    const text = `import { layouts } from "@cm/render";
      let calls = 0;
      const decide = () => ({ fold: { cut: calls++, reason: "at random" } });
      export default { renderer: layouts.log.renderer, policy: { contract: "policy/1", name: "dice", decide } };`;

    await expect(policyEntry(written("dice.mjs", text))).rejects.toThrow(
      /breaks law POL-\d+ of policies: .*Nothing was replayed\.\n.*\bcut\b/s,
    );
  });

  it("is refused where it gives a part a form that does not exist, with the part", async () => {
    const text = `import { layouts } from "@cm/render";
      const decide = ({ log }) => {
        const { at } = log.find(({ kind }) => kind === "result") ?? {};
        return at === undefined ? {} : { forms: { [at]: { form: "folded" } } };
      };
      export default { renderer: layouts.log.renderer, policy: { contract: "policy/1", name: "folded", decide } };`;

    await expect(policyEntry(written("folded.mjs", text))).rejects.toThrow(/Part \d+ takes a form that does not exist/);
  });

  it.each(["export default 1;", "export const policy = {};"])("is refused where there is none: %s", async (text) => {
    await expect(policyEntry(written(`none-${text.length}.mjs`, text))).rejects.toThrow("exports no layout");
  });

  it("is refused where a layout stands in the place of its renderer", async () => {
    const text = `import { layouts } from "@cm/render";
      export default { policy: layouts.log.policy, renderer: layouts.log };`;

    await expect(policyEntry(written("twice.mjs", text))).rejects.toThrow("no renderer of contract renderer/1");
  });

  it("is refused where there is no such file", async () => {
    await expect(policyEntry("./not-there.mjs")).rejects.toThrow("./not-there.mjs cannot be loaded");
  });
});
