// @module-tag process
// Verifies: SSOT 2.2, 5.11, T9, T10: bytes are hashed once and decide what is text; reading is bounded.
import { createHash } from "node:crypto";
import { appendFileSync, chmodSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileLimits } from "@cm/sources-fs";
import { describe, expect, it } from "vitest";
import { besides } from "./support/child.ts";
import { freshFolder } from "./support/folder.ts";
import { look, openSource, present } from "./support/source.ts";

function sha256(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

describe("reading", () => {
  it.each([
    ["a byte order mark", "\uFEFFwith a mark"],
    ["nothing", ""],
    ["line ends of all kinds", "a\r\nb\rc\n"],
    ["NUL, which is UTF-8", "a\0b"],
    ["text beyond the basic plane", "\u{1F600}"],
  ])("keeps %s", async (_case, text) => {
    const root = freshFolder();
    writeFileSync(join(root, "file"), text);

    const found = await present(openSource(root), join(root, "file"));

    expect(found).toMatchObject({ content: { text }, sourceHash: sha256(text) });
  });

  it("withholds what is not UTF-8, with a hash of its bytes", async () => {
    const root = freshFolder();
    const source = openSource(root);

    for (const bytes of [Buffer.of(0x61, 0xff), Buffer.of(0x61, 0xfe), Buffer.of(0xed, 0xa0, 0x80)]) {
      writeFileSync(join(root, "file"), bytes);
      const found = await present(source, join(root, "file"));
      expect(found).toMatchObject({ content: { withheld: "binary" }, sourceHash: sha256(bytes) });
    }
  });

  it("withholds what is one byte over the bound, and nothing below it", async () => {
    const root = freshFolder();
    const source = openSource(root);
    const contentBytesMax = 10_000;

    for (const size of [contentBytesMax - 1, contentBytesMax, contentBytesMax + 1]) {
      const text = "x".repeat(size);
      writeFileSync(join(root, "file"), text);
      const found = await look(source, join(root, "file"), { bounds: { contentBytesMax } });
      const content = size > contentBytesMax ? { withheld: "too_large" } : { text };
      expect(found).toMatchObject({ kind: "present", sourceHash: sha256(text), content });
    }
  });

  it("reads files around the size of one piece, many in one look", async () => {
    const root = freshFolder();
    const sizes = [-2, -1, 0, 1, 2]
      .map((more) => fileLimits.pieceBytes + more)
      .concat([3 * fileLimits.pieceBytes, 1, 0]);
    for (const [n, size] of sizes.entries()) writeFileSync(join(root, `${n}`), String(n).repeat(size));
    const source = openSource(root);
    const bounds = { contentBytesMax: 4 * fileLimits.pieceBytes, deadlineMs: 60_000 };
    const bindings = await Promise.all(sizes.map((_, n) => source.bind(join(root, `${n}`))));

    for (let round = 0; round < 3; round += 1) {
      const answers = await source.observe(
        bindings.map((binding) => ({ binding })),
        bounds,
      );
      const hashes = answers.map(
        (answer) => answer.kind === "present" && "text" in answer.content && sha256(answer.content.text),
      );
      expect(hashes).toEqual(sizes.map((size, n) => sha256(String(n).repeat(size))));
    }
  });

  it("takes attributes for the hash of what is too large to be read", async () => {
    const root = freshFolder();
    const path = join(root, "huge");
    writeFileSync(path, "");
    truncateSync(path, fileLimits.hashedBytesMax + 1);
    const source = openSource(root);

    const first = await present(source, path);
    const again = await look(source, path, { known: first.state });
    chmodSync(path, 0o600);
    appendFileSync(path, "x");
    const changed = await present(source, path, first.state);

    expect(first).toMatchObject({ content: { withheld: "too_large" } });
    expect(first.sourceHash).toMatch(/^stat:/);
    expect(again.kind).toBe("unchanged");
    expect(changed.sourceHash).not.toBe(first.sourceHash);
  });

  it("gives no text that never was while a file grows, and none over the bound", async () => {
    const root = freshFolder();
    const path = join(root, "growing");
    writeFileSync(path, "x".repeat(50_000));
    const source = openSource(root);
    await besides(`fs.appendFileSync(path_, "x"); if (n % 2000 === 1999) fs.truncateSync(path_, 50_000);`, {
      path_: path,
    });

    for (let n = 0; n < 200; n += 1) {
      const answer = await look(source, path, { bounds: { contentBytesMax: 51_000 } });
      if (answer.kind === "unreachable") expect(answer.reason).toBe("changes while it is read");
      else if (answer.kind === "present" && "text" in answer.content) {
        expect(answer.content.text.length).toBeLessThanOrEqual(51_000);
        expect(answer.sourceHash).toBe(sha256(answer.content.text));
      } else expect(answer).toMatchObject({ kind: "present", content: { withheld: "too_large" } });
    }
  });

  it("does not open what a rule ignores, and says which", async () => {
    const root = freshFolder();
    writeFileSync(join(root, ".env"), "KEY=secret");
    writeFileSync(join(root, "mine"), "secret");
    const source = openSource(root, { ignore: { rules: ["mine"] } });

    expect(await look(source, join(root, ".env"))).toEqual({
      kind: "unreachable",
      reason: "ignored: secret-file .env*",
    });
    expect(await look(source, join(root, "mine"))).toEqual({ kind: "unreachable", reason: "ignored: user-rule" });
  });
});
