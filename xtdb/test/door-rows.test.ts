// @module-tag xtdb
// Verifies: an answer that fails while its rows come is never a well-ended 200.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing } from "../launch/index.ts";
import { type Encoding, get, post, put } from "./support/ask.ts";
import { type Door, startDoor, startDoorProcess } from "./support/start-door.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

const rows = 3_000;
const held = 20_000;
/** The last entity's score is a text, which + refuses. */
const failing = `{:find [e x] :in [least] :where [[e :score s] [(>= e least)] [(+ s 1) x]]}`;
const working = `{:find [e s] :in [least] :where [[e :score s] [(>= e least)]]}`;

withXtdb("a door that holds 20,000 bytes back", () => {
  let node: Door;
  beforeAll(async () => {
    node = await startDoor({ door: { ":held-answer-bytes-max": held } });
    const documents = Array.from(
      { length: rows },
      (_, id) => `{:xt/id ${id} :score ${id === rows - 1 ? '"none"' : id}}`,
    );
    await put(node.url, ...documents);
  });
  afterAll(() => node?.stop());

  const ask = (query: string, least: number, accept: Encoding) =>
    post(node.url, "query", `{:query ${query} :in-args [${least}]}`, { accept });

  it.each<[Encoding, number]>([
    ["json", rows - 100],
    ["edn", rows - 100],
    ["transit", rows - 100],
    // transit counts the rows before it writes the first.
    ["transit", 0],
  ])("answers a query with an error when it fails before that, in %s from %i", async (accept, least) => {
    const answer = await ask(failing, least, accept);

    expect(answer.status).toBe(500);
    expect(answer.body).toContain("java.lang.ClassCastException");
  });

  it.each<Encoding>(["json", "edn"])("breaks off an answer that fails after that, in %s", async (accept) => {
    await expect(ask(failing, 0, accept)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  describe.each<Encoding>(["json", "edn", "transit"])("in %s", (accept) => {
    it("sends the whole of an answer that it does not hold back", async () => {
      const answer = await ask(working, 0, accept);

      expect(answer.status).toBe(200);
      expect(answer.body.length).toBeGreaterThan(held);
      expect(answer.headers["transfer-encoding"]).toBe("chunked");
      expect(answer.body.match(/none/g)).toHaveLength(1);
    });

    it("says how long an answer is that it held back", async () => {
      const answer = await ask(working, rows - 10, accept);

      expect(answer.status).toBe(200);
      expect(answer.headers["content-length"]).toBe(String(answer.body.length));
    });
  });

  it("leaves no query behind", async () => {
    // XTDB learns of an ended query over its own bus, on another thread: a busy machine needs a moment.
    await expect.poll(async () => (await get(node.url, "active-queries")).body).toBe("[]");
  });
});

withXtdb("a door with a small heap", () => {
  it("streams an answer larger than it could hold", async () => {
    const node = await startDoorProcess({ heapMiB: 128, door: { ":held-answer-bytes-max": 100_000 } });
    try {
      const text = "x".repeat(4_000);
      await put(node.url, ...Array.from({ length: 200 }, (_, id) => `{:xt/id ${id} :side 1 :text "${text}"}`));

      const answer = await post(
        node.url,
        "query",
        "{:query {:find [a b t] :where [[a :side 1] [b :side 1] [b :text t]]}}",
      );

      expect(answer.status).toBe(200);
      expect(answer.body.length).toBeGreaterThan(150_000_000);
      expect(answer.body.endsWith("]]")).toBe(true);
    } finally {
      await node.stop();
    }
  });
});
