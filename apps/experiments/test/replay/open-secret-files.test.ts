// Verifies: SSOT 5.10: a replay opens files of secrets only by name.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Source } from "@cm/object-model";
import { expect, it, onTestFinished } from "vitest";
import { presentFiles } from "../../src/replay/present-files.ts";

it("opens the named ones below the root, and says which rule closed the others", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "cm-secrets-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["prod.tfvars", ".env"]) writeFileSync(join(folder, name), "x = 1");
  const files = presentFiles({ id: "r", cwd: "/work" }, folder, ["*.tfvars"]);
  onTestFinished(() => files.close());

  const calls = ["prod.tfvars", ".env"].map((path) => ({ id: path, name: "read", args: { path } }));
  const touches = (await Promise.all(calls.map((call) => files.touchesOf(call, { text: "", failed: false })))).flat();
  const bounds = { contentBytesMax: 1_000, deadlineMs: 60_000 };
  const answers = await (files.source as Source).observe(touches, bounds);

  expect(answers).toMatchObject([
    { kind: "present", content: { text: "x = 1" } },
    { kind: "unreachable", reason: "ignored: secret-file .env*" },
  ]);
});
