// Verifies: SSOT 5.11, F11, T15
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { S3Binding } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { createS3Source } from "../src/index.ts";
import { fakeServer } from "./support/fake-server.ts";
import { bounds, credentials, listing, lookAt, xml } from "./support/one-look.ts";

describe("a server", () => {
  it("is asked a second and a third time where that may help, and no more", async () => {
    const busy = await lookAt((response) => response.writeHead(503).end(xml("SlowDown")));
    const denied = await lookAt((response) => response.writeHead(403).end(xml("AccessDenied")));

    expect(busy.server.asked).toHaveLength(3);
    expect(denied.server.asked).toHaveLength(1);
  });

  it("ends with the caller's signal, and its connection with it", async () => {
    const stopped = new AbortController();
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const server = await fakeServer((_request, response) => {
      response.on("close", () => resolve());
      stopped.abort();
    });
    const source = createS3Source({ endpoints: [server.url], credentials });
    const binding: S3Binding = { type: "s3", bucket: "bucket", key: "a", endpoint: server.url };

    const answers = await source.observe([{ binding }], bounds, stopped.signal);
    await gone;

    expect(answers).toEqual([{ kind: "unreachable", reason: "stopped by the caller" }]);
    await source.close();
    await server.close();
  });

  it("loses its idle connections when the source is closed", async () => {
    const server = await fakeServer((_request, response) => {
      response.writeHead(200, { etag: '"x"', "content-length": 4 }).end("text");
    });
    const source = createS3Source({ endpoints: [server.url], credentials });
    const binding: S3Binding = { type: "s3", bucket: "bucket", key: "a", endpoint: server.url };
    await source.observe([{ binding }], bounds);

    await source.close();
    await server.allGone();

    expect(server.connections).toBeGreaterThan(0);
    await server.close();
  });

  // A connection ends by itself only when nothing comes for eight seconds; here something always comes.
  it.each([{ "content-length": 1e9 }, {}])("loses the connection of a body that is not read: %j", async (headers) => {
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const server = await fakeServer((_request, response) => {
      const drops = setInterval(() => response.write("x"), 500);
      response.on("close", () => {
        clearInterval(drops);
        resolve();
      });
      response.writeHead(200, { etag: '"large"', ...headers });
      response.write("x".repeat(2 * bounds.contentBytesMax));
    });
    const source = createS3Source({ endpoints: [server.url], credentials });
    const binding: S3Binding = { type: "s3", bucket: "bucket", key: "a", endpoint: server.url };

    const answers = await source.observe([{ binding }], bounds);
    await gone;

    expect(answers).toMatchObject([{ kind: "present", content: { withheld: "too_large" } }]);
    await source.close();
    await server.close();
  });

  it.each(["/leading", "trailing/", "..", "a//b", "dots/../x", "./a", "a b+c%20&=?#3.txt"])(
    "is asked for the key %j to the letter",
    async (key) => {
      const { observation, server } = await lookAt(
        (response) => response.writeHead(200, { etag: '"x"', "content-length": 4 }).end("text"),
        { key },
      );

      const [asked = ""] = server.asked;
      const path = /^GET \/bucket\/(.*)\?x-id=GetObject$/.exec(asked)?.[1] ?? "";
      expect(decodeURIComponent(path)).toBe(key);
      expect(observation).toMatchObject({ kind: "present", content: { text: "text" } });
    },
  );

  it("is asked over few connections for many objects", async () => {
    const server = await fakeServer((request, response) => {
      if (request.url?.includes("list-type")) response.end(listing);
      else if (request.url?.includes("missing")) response.writeHead(404).end(xml("NoSuchKey"));
      else if (request.headers["if-none-match"]) response.writeHead(304).end();
      else response.writeHead(200, { etag: '"x"', "content-length": 4 }).end("text");
    });
    const source = createS3Source({ endpoints: [server.url], credentials, requestsAtOnce: 4 });
    const place = (key: string): S3Binding => ({ type: "s3", bucket: "bucket", key, endpoint: server.url });
    const requests = Array.from({ length: 60 }, (_, n) => [
      { binding: place(`missing/${n}`) },
      { binding: place(`a/${n}`), known: { sourceHash: "x" } },
      { binding: place(`b/${n}`) },
      { binding: place(`c/${n}`), want: "existence" as const },
    ]).flat();

    const answers = await source.observe(requests, bounds);

    expect(new Set(answers.slice(0, 4).map(({ kind }) => kind))).toEqual(
      new Set(["absent", "unchanged", "present", "exists"]),
    );
    expect(server.connections).toBeLessThanOrEqual(5);
    await source.close();
    await server.close();
  });

  it.each(["content", "existence"] as const)(
    "is given up without a listening server, for the %s of all at once",
    async (want) => {
      const closed = createServer().listen(0, "127.0.0.1");
      await once(closed, "listening");
      const { port } = closed.address() as AddressInfo;
      closed.close();
      const endpoint = `http://127.0.0.1:${port}`;
      const source = createS3Source({ endpoints: [endpoint], credentials });
      const requests = Array.from({ length: 2_000 }, (_, n) => ({
        binding: { type: "s3" as const, bucket: "bucket", key: `${n}`, endpoint },
        want,
      }));

      const answers = await source.observe(requests, bounds);

      expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
        new Set(['{"kind":"unreachable","reason":"connection refused"}']),
      );
      await source.close();
    },
  );

  it("is unreachable where no such host is known", async () => {
    const endpoint = "https://no-such-host.invalid";
    const source = createS3Source({ endpoints: [endpoint], credentials });

    const [answer] = await source.observe([{ binding: { type: "s3", bucket: "bucket", key: "a", endpoint } }], bounds);

    // A name server that does not answer takes longer than the deadline.
    expect(["host not found", "deadline passed"]).toContain(answer?.kind === "unreachable" && answer.reason);
    await source.close();
  });
});
