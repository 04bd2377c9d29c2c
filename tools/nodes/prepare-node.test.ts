// @module-tag process
// Verifies: a Node that cannot be had is missing by name, and nothing of a failed fetch stays.
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MissingNode } from "./missing-node.ts";
import { prepareNode } from "./prepare-node.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cm-fetch-node-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it("says what to check where npm's registry cannot be reached", async () => {
  // Nothing listens on this port.
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9/");

  const failure = await prepareNode("26.10.0", folder).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(MissingNode);
  expect(String(failure)).toMatch(
    /^MissingNode: (Could not fetch node-\S+@26\.10\.0\. The first run needs npm's registry|npm has no Node 26\.10\.0 for)/,
  );
  expect(existsSync(join(folder, "26.10.0"))).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});
