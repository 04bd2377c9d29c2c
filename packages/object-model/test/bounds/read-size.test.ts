// Verifies: documents of unknown size are read in answers of a bounded size, many small ones in few requests.
import { describe, expect, it } from "vitest";
import {
  charsIn,
  chatId,
  createMemoryStore,
  everyDocument,
  inParts,
  type ListedVersion,
  ReadSize,
  sealDocument,
} from "../../src/index.ts";
import { readLimits } from "../../src/limits.ts";

/** Pages that `everyDocument` asks for, of a store with texts of these lengths. */
async function pagesOf(lengths: readonly number[]): Promise<readonly (readonly ListedVersion[])[]> {
  const store = createMemoryStore();
  const writes = lengths.map((length, n) => ({
    document: sealDocument(
      { type: "toolcall", id: `call-${`${n}`.padStart(5, "0")}` },
      { content: "x".repeat(length), tool: "bash", args: {}, status: "ok", chat_ref: chatId("s") },
    ),
    expect: "any" as const,
  }));
  await store.commit(writes);
  const pages: (readonly ListedVersion[])[] = [];
  const read = everyDocument(async (page) => {
    const answer = await store.find({ type: "toolcall" }, page);
    pages.push(answer.versions);
    return answer;
  });
  const ids: string[] = [];
  for await (const { id, document } of read) {
    expect(document).toBeDefined();
    ids.push(id);
  }
  expect(ids).toEqual(writes.map(({ document }) => document["xt/id"]));
  return pages;
}

describe("documents whose size is not known", () => {
  it("come in few requests where they are small", async () => {
    const pages = await pagesOf(Array.from({ length: 5_000 }, () => 10));

    expect(pages.length).toBeLessThanOrEqual(7);
  });

  it("come in answers of a bounded size where they are large", async () => {
    const pages = await pagesOf(Array.from({ length: 200 }, () => 250_000));

    const [, ...later] = pages.map((page) => charsIn(page));
    expect(Math.max(...later)).toBeLessThanOrEqual(readLimits.chars);
    expect(pages.length).toBeLessThanOrEqual(8);
  });

  it("come one by one where each is more than is read at once, and in more again behind them", async () => {
    const size = new ReadSize();
    size.follow(readLimits.chars * 40, 32);

    expect(size.objects).toBe(1);

    size.follow(10, 1);
    expect([...inParts([1, 2, 3, 4, 5, 6, 7, 8, 9], size)]).toEqual([[1, 2, 3, 4, 5, 6, 7, 8], [9]]);
  });

  it("come in no more at once than the caller wants", () => {
    const size = new ReadSize(5);
    size.follow(0, 5);

    expect(size.objects).toBe(5);
  });
});
