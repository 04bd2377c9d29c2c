// @module-tag long
// Verifies: SSOT 5.6, F11, T9, T10, T15
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { listing, lookAt, xml } from "./support/one-look.ts";

describe("a server that is not as it should be", () => {
  it.each([
    ["403", 403, "AccessDenied", "access denied"],
    ["a wrong signature", 403, "SignatureDoesNotMatch", "credentials refused"],
    ["an archived object", 403, "InvalidObjectState", "object archived"],
    ["clocks apart", 403, "RequestTimeTooSkewed", "clocks differ"],
    ["500", 500, "InternalError", "server error"],
    ["throttling", 503, "SlowDown", "server throttles"],
    ["429", 429, "Whatever", "server throttles"],
    ["a missing bucket", 404, "NoSuchBucket", "bucket missing"],
    ["a redirect", 301, "PermanentRedirect", "redirected elsewhere"],
    ["a request it does not take", 400, "InvalidArgument", "refused by the server"],
    ["a 404 of its own", 404, "Nothing", "answer not understood"],
  ])("is unreachable for %s, in fixed words", async (_what, status, code, reason) => {
    const { observation } = await lookAt((response) => response.writeHead(status).end(xml(code)));

    expect(observation).toEqual({ kind: "unreachable", reason });
  });

  it("is believed that a key is missing only where its bucket is there", async () => {
    const missing = (list: (response: ServerResponse) => void) =>
      lookAt((response, url) => {
        if (url.includes("list-type")) list(response);
        else response.writeHead(404).end(xml("NoSuchKey"));
      });
    const answers = [
      await missing((response) => response.end(listing)),
      await missing((response) => response.writeHead(403).end(xml("AccessDenied"))),
      await missing((response) => response.writeHead(404).end(xml("NoSuchBucket"))),
      await missing((response) => response.end("")),
      await missing((response) => response.end(listing.replace("bucket", "other"))),
    ];

    expect(answers.map(({ observation }) => observation)).toEqual([
      { kind: "absent" },
      { kind: "absent" },
      { kind: "unreachable", reason: "bucket missing" },
      { kind: "unreachable", reason: "answer not understood" },
      { kind: "unreachable", reason: "answer not understood" },
    ]);
  });

  it("is believed without listing only in so many words: HEAD has none", async () => {
    const { observation } = await lookAt(
      (response, url) => response.writeHead(url.includes("list-type") ? 403 : 404).end(),
      { request: { want: "existence" } },
    );

    expect(observation).toEqual({ kind: "unreachable", reason: "access denied" });
  });

  it("is not read to the end where its answer has none", async () => {
    let sent = 0;
    const { observation } = await lookAt((response) => {
      response.writeHead(200, { etag: '"endless"' });
      const piece = Buffer.alloc(65_536, "x");
      const more = (): void => {
        while (!response.destroyed && sent < 1e9 && response.write(piece)) sent += piece.length;
      };
      response.on("drain", more);
      more();
    });

    expect(observation).toMatchObject({ kind: "present", sourceHash: "endless", content: { withheld: "too_large" } });
    expect(sent).toBeLessThan(64 * 1_048_576);
  });

  it("is not read at all where it declares too much", async () => {
    const { observation } = await lookAt((response) => {
      response.writeHead(200, { etag: '"large"', "content-length": 10_000_000_000 });
      response.write("x");
    });

    expect(observation).toEqual({
      kind: "present",
      sourceHash: "large",
      content: { withheld: "too_large" },
      state: { sourceHash: "large" },
    });
  });

  it.each([
    ["an error", 403],
    ["a listing", 200],
  ])("is not read to the end of %s that has none", async (what, status) => {
    let sent = 0;
    const { observation } = await lookAt((response, url) => {
      if (what === "a listing" && !url.includes("list-type")) {
        response.writeHead(404).end(xml("NoSuchKey"));
        return;
      }
      response.writeHead(status, { "content-type": "application/xml" });
      const piece = Buffer.alloc(65_536, "<a>");
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on("drain", more);
      more();
    });

    expect(observation).toEqual({ kind: "unreachable", reason: "answer not understood" });
    expect(sent).toBeLessThan(3 * 16 * 1_048_576);
  });

  it("is not believed that an object is gone by a HEAD that it does not understand", async () => {
    const existence = await lookAt(
      (response, url) => {
        if (url.includes("list-type")) response.end(listing);
        else response.writeHead(405).end();
      },
      { request: { want: "existence" } },
    );
    const unproven = await lookAt((response, url) => {
      if (url.includes("list-type")) response.end(listing);
      else if (response.req.method === "HEAD") response.writeHead(404).end();
      else response.writeHead(200, { etag: '"parts-2"', "content-length": 4 }).end("half");
    });

    expect(existence.observation).toEqual({ kind: "unreachable", reason: "refused by the server" });
    expect(unproven.observation).toEqual({ kind: "unreachable", reason: "changes too fast" });
  });

  it("is not believed a text whose length it cannot say twice", async () => {
    const half = await lookAt((response, url) => {
      const bytes = url.startsWith("/bucket/a") && response.req.method === "GET" ? "half" : "half and half";
      // A checksum of the parts, which says nothing of the whole.
      const headers = { etag: '"parts-2"', "x-amz-checksum-crc32": "NhCmhg==-2" };
      response.writeHead(200, { ...headers, "content-length": bytes.length }).end(bytes);
    });
    const whole = await lookAt((response) => {
      response.writeHead(200, { etag: '"parts-2"', "content-length": 4 }).end("half");
    });

    expect(half.observation).toEqual({ kind: "unreachable", reason: "answer cut off" });
    expect(whole.observation).toMatchObject({ kind: "present", content: { text: "half" } });
  });

  it("is read again where it has another text by the time its length is asked for", async () => {
    let reads = 0;
    const { observation } = await lookAt((response) => {
      if (response.req.method === "GET") reads++;
      const version = response.req.method === "HEAD" ? "two" : ["one", "two"][reads - 1];
      response.writeHead(200, { etag: `"${version}-2"`, "content-length": 3 }).end(version);
    });

    expect(observation).toMatchObject({ kind: "present", sourceHash: "two-2", content: { text: "two" } });
    expect(reads).toBe(2);
  });

  it("is not believed a text against its checksum, even with the right length", async () => {
    const { observation } = await lookAt((response) => {
      response.writeHead(200, { etag: '"x-1"', "content-length": 5, "x-amz-checksum-crc32": "NhCmhg==" }).end("hullo");
    });

    expect(observation).toEqual({ kind: "unreachable", reason: "answer damaged" });
  });

  it("says unchanged by sending what is known, too: a condition is only a wish", async () => {
    const { observation } = await lookAt(
      (response) => response.writeHead(200, { etag: 'W/"same"', "content-length": 4 }).end("text"),
      { request: { known: { sourceHash: "W/same" } } },
    );

    expect(observation).toEqual({ kind: "unchanged", state: { sourceHash: "W/same" } });
  });

  it.each([
    ["for another version", { etag: '"other"' }, { sourceHash: "known" }],
    ["that was not requested", {}, {}],
  ])("is not believed a 304 %s", async (_what, headers, known) => {
    const { observation } = await lookAt((response) => response.writeHead(304, headers).end(), { request: { known } });

    expect(observation).toEqual({ kind: "unreachable", reason: "answer not understood" });
  });

  it.each([
    ["none", {}],
    ["an endless one", { etag: `"${"x".repeat(300)}"` }],
    ["an empty one", { etag: '""' }],
  ])("is unreachable with this ETag: %s", async (_what, headers) => {
    const { observation } = await lookAt((response) => response.writeHead(200, headers).end("text"));

    expect(observation).toEqual({ kind: "unreachable", reason: "answer not understood" });
  });

  it("does not end the process with a wrong checksum on an answer that is of no use", async () => {
    const { observation } = await lookAt((response) => {
      response.writeHead(200, { "content-length": 0, "x-amz-checksum-crc32": "NhCmhg==" }).end();
    });

    expect(observation).toEqual({ kind: "unreachable", reason: "answer not understood" });
  });

  it("is unreachable when the deadline passes, whatever it still sends", async () => {
    const { observation } = await lookAt(() => {}, { deadlineMs: 100 });
    const dripping = await lookAt(
      (response) => {
        response.writeHead(200, { etag: '"x"', "content-length": 100 });
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      },
      { deadlineMs: 150 },
    );

    expect(observation).toEqual({ kind: "unreachable", reason: "deadline passed" });
    expect(dripping.observation).toEqual({ kind: "unreachable", reason: "deadline passed" });
  });
});
