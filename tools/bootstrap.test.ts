// @module-tag process
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "./workspace.ts";

const folder = mkdtempSync(join(tmpdir(), "cm bootstrap "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An address of this machine without a listener. */
function silentAddress(): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(`http://127.0.0.1:${port}/`));
    });
  });
}

describe("the bootstrap in a fresh copy", () => {
  it("says on stderr what to do when the registry cannot be reached", async () => {
    for (const path of ["tools", "package.json", ".node-version"]) {
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    // An empty cache, as on a new machine.
    const npm = { npm_config_registry: await silentAddress(), npm_config_cache: join(folder, "cache") };
    const bootstrap = [join(folder, "tools", "bootstrap.mjs"), "do:start"];

    const { status, stdout, stderr } = await new Promise<{ status: unknown; stdout: string; stderr: string }>(
      (resolve) => {
        execFile(process.execPath, bootstrap, { env: { ...process.env, ...npm } }, (error, out, err) =>
          resolve({ status: error?.code, stdout: out, stderr: err }),
        );
      },
    );

    expect(status).toBe(1);
    expect(stderr).toContain("The npm registry cannot be reached.");
    expect(stdout).toBe("");
    expect(existsSync(join(folder, ".toolchain"))).toBe(false);
  });
});
