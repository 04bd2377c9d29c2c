// @module-tag pi
// Verifies: without a way to the registry the kit says so, instead of failing in some other place.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetchPacked } from "../../src/pi/fetch-packed.ts";
import { MissingPi } from "../../src/pi/missing-pi.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cm-fetch-pi-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

it("says what to check where npm's registry cannot be reached", async () => {
  // Nothing listens on this port.
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:9/");

  const failure = await fetchPacked(folder).catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(MissingPi);
  expect(String(failure)).toMatch(/^MissingPi: Could not fetch .*@1\.5\.2\. The first run needs npm's registry/);
});
