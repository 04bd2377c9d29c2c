// @module-tag process
// Verifies: T9, SSOT 5.11: special and endless files are answered at once, and are never read.
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { requirement } from "../../../tools/requirement.ts";
import { rootAndOutside } from "./support/folder.ts";
import { look, openSource } from "./support/source.ts";

const notRegular = { kind: "unreachable", reason: "not a regular file" };
const throughLink = { kind: "unreachable", reason: "reached through a link" };

/** Longer unless the promise itself is tested, because other tests run at the same time. */
const atOnce = { deadlineMs: process.env.CM_CAMPAIGN === "1" ? 200 : 60_000 };

async function warmSource(root: string | readonly string[]) {
  const source = openSource(root);
  await look(source, "/a", { bounds: { deadlineMs: 30_000 } });
  return source;
}

describe("the guard", () => {
  it("answers a socket", async () => {
    const { root } = rootAndOutside();
    const server = createServer().listen(join(root, "socket"));
    onTestFinished(() => {
      server.close();
    });
    await once(server, "listening");

    expect(await look(await warmSource(root), join(root, "socket"), { bounds: atOnce })).toEqual(notRegular);
  });

  it("answers folders, roots among them", async () => {
    const { root } = rootAndOutside();
    mkdirSync(join(root, "folder"));
    const source = await warmSource(root);

    expect(await look(source, join(root, "folder"), { bounds: atOnce })).toEqual(notRegular);
    expect(await look(source, root, { bounds: atOnce })).toEqual(notRegular);
  });

  it.each(["/dev/null", "/dev/zero", "/dev/random"])("answers the device %s", async (device) => {
    expect(await look(await warmSource("/"), device, { bounds: atOnce })).toEqual(notRegular);
  });

  it("answers links to outside, links to inside, loops and dangling links", async () => {
    const { root, outside } = rootAndOutside();
    writeFileSync(join(outside, "secret"), "outside");
    writeFileSync(join(root, "file"), "inside");
    symlinkSync(join(outside, "secret"), join(root, "out"));
    symlinkSync(outside, join(root, "folder"));
    symlinkSync("file", join(root, "in"));
    symlinkSync("loop", join(root, "loop"));
    symlinkSync("nothing", join(root, "dangling"));
    const source = await warmSource(root);

    for (const name of ["out", "folder/secret", "in", "loop", "loop/a", "dangling"]) {
      for (const want of [{}, { want: "existence" as const }]) {
        expect(await look(source, join(root, name), { bounds: atOnce, ...want })).toEqual(throughLink);
      }
    }
  });

  it("takes no path that is not canonical", async () => {
    const { root, outside } = rootAndOutside();
    writeFileSync(join(outside, "secret"), "outside");
    writeFileSync(join(root, "file"), "inside");
    const source = await warmSource(root);

    for (const path of [`${root}/../outside/secret`, `${root}//file`, `${root}/./file`, `${root}/file/`, "file", ""]) {
      expect(await look(source, path)).toEqual({ kind: "unreachable", reason: "not a canonical path" });
    }
    expect(await look(source, join(outside, "secret"))).toEqual({ kind: "unreachable", reason: "outside the roots" });
    expect(await look(source, `${root}-beside/file`)).toEqual({ kind: "unreachable", reason: "outside the roots" });
  });

  it("answers a sparse file of 100 GB by its attributes, in hardly any memory", async () => {
    const { root } = rootAndOutside();
    const path = join(root, "sparse");
    writeFileSync(path, "");
    truncateSync(path, 100 * 1024 ** 3);
    const source = await warmSource(root);
    const before = process.memoryUsage().rss;

    const answer = await look(source, path, { bounds: atOnce });

    expect(answer).toMatchObject({ kind: "present", content: { withheld: "too_large" } });
    expect(answer.kind === "present" && answer.sourceHash).toMatch(/^stat:/);
    expect(process.memoryUsage().rss - before).toBeLessThan(16 * 1024 * 1024);
  });
});

requirement("mkfifo", () => spawnSync("mkfifo", ["--version"]).error === undefined)("a FIFO", () => {
  it("is answered without waiting for its writer", async () => {
    const { root } = rootAndOutside();
    execFileSync("mkfifo", [join(root, "fifo")]);
    const source = await warmSource(root);

    expect(await look(source, join(root, "fifo"), { bounds: atOnce })).toEqual(notRegular);
    expect(await look(source, join(root, "fifo"), { bounds: atOnce, want: "existence" })).toEqual(notRegular);
  });
});

requirement("Linux with /proc and /sys", () => process.platform === "linux")("files of the kernel", () => {
  it.each(["/proc/self/status", "/proc/kmsg", "/proc/sys/kernel/hostname", "/sys/kernel/uevent_seqnum"])(
    "answers %s, also where a root holds it",
    async (path) => {
      const source = await warmSource(["/", "/proc", "/sys"]);

      const answer = await look(source, path, { bounds: atOnce });

      expect([notRegular, { kind: "unreachable", reason: "not a regular file" }]).toContainEqual(answer);
    },
  );
});
