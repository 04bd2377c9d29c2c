// @module-tag long
// Verifies: SSOT 5.10, T8: a listing gives the files that may be opened, in order, and follows no link.
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { FilesystemBinding } from "@cm/object-model";
import { fileLimits } from "@cm/sources-fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { rootAndOutside } from "./support/folder.ts";
import { bounds, openSource } from "./support/source.ts";

async function all(batches: AsyncIterable<readonly FilesystemBinding[]>): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const batch of batches) paths.push(...batch.map(({ path }) => path));
  return paths;
}

describe("a listing", () => {
  it("gives regular files by name, folder by folder, without ignored ones, links and others", async () => {
    const { root, outside } = rootAndOutside();
    for (const folder of ["b/deep", "a", "empty", "node_modules/x", ".git"])
      mkdirSync(join(root, folder), { recursive: true });
    const files = ["z", "a/2", "a/1", "b/deep/1", "B", "node_modules/x/y", ".env", ".git/config"];
    for (const name of files) writeFileSync(join(root, name), "text");
    writeFileSync(join(root, ".gitignore"), "node_modules\n");
    writeFileSync(join(outside, "file"), "outside");
    symlinkSync(outside, join(root, "out"));
    symlinkSync(root, join(root, "a/loop"));
    symlinkSync("z", join(root, "link"));
    const server = createServer().listen(join(root, "socket"));
    onTestFinished(() => {
      server.close();
    });
    await once(server, "listening");
    const source = openSource(root);

    expect(await all(source.list())).toEqual(
      [".gitignore", "B", "z", "a/1", "a/2", "b/deep/1"].map((name) => join(root, name)),
    );
    expect(await all(source.list(join(root, "b")))).toEqual([join(root, "b/deep/1")]);
    expect(await all(source.list(join(root, "node_modules")))).toEqual([]);
  });

  it("gives each file once where a root lies in another, and none of what is outside", async () => {
    const { root, outside } = rootAndOutside();
    mkdirSync(join(root, "a"));
    writeFileSync(join(root, "a/file"), "text");
    const source = openSource([join(root, "a"), root]);

    expect(await all(source.list())).toEqual([join(root, "a/file")]);
    await expect(all(source.list(outside))).rejects.toMatchObject({ code: "source/outside-roots" });
    await expect(all(source.list(join(root, "..")))).rejects.toMatchObject({ code: "source/outside-roots" });
  });

  it("says at its end that folders were too deep for it", async () => {
    const { root } = rootAndOutside();
    mkdirSync(join(root, "d/".repeat(fileLimits.listedDepthMax + 1)), { recursive: true });
    writeFileSync(join(root, "file"), "text");
    const listed: string[] = [];

    const listing = (async () => {
      for await (const batch of openSource(root).list()) listed.push(...batch.map(({ path }) => path));
    })();

    await expect(listing).rejects.toMatchObject({ code: "source/limit" });
    expect(listed).toEqual([join(root, "file")]);
  });

  it("comes in batches, beside looks, and can be left", async () => {
    const { root } = rootAndOutside();
    for (let n = 0; n < 2_500; n += 1) writeFileSync(join(root, `${10_000 + n}`), "text");
    const source = openSource(root);
    const sizes: number[] = [];

    for await (const batch of source.list()) {
      sizes.push(batch.length);
      const [answer] = await source.observe(
        batch.slice(0, 1).map((binding) => ({ binding })),
        bounds,
      );
      expect(answer?.kind).toBe("present");
    }
    for await (const batch of source.list()) {
      expect(batch).toHaveLength(1_000);
      break;
    }

    expect(sizes).toEqual([1_000, 1_000, 500]);
    await source.close();
    await expect(all(source.list())).rejects.toMatchObject({ code: "source/unavailable" });
  });
});
