// Verifies: T14, T18

import { describe, expect, it } from "vitest";
import { createS3Source } from "../src/index.ts";
import { fakeServer } from "./support/fake-server.ts";

const credentials = { accessKeyId: "canary-id", secretAccessKey: "canary-secret" };
const bounds = { contentBytesMax: 1_000, deadlineMs: 60_000 };

describe("endpoints", () => {
  it("are never asked unless configuration names them", async () => {
    const server = await fakeServer((_request, response) => response.end());
    const source = createS3Source({ endpoints: ["http://127.0.0.1:9"], credentials });
    const binding = source.bind({ bucket: "bucket", key: "a", endpoint: server.url });
    const tracker = source.track(() => {});

    const answers = await source.observe(
      [{ binding }, { binding, known: { absent: true } }, { binding, want: "existence" }],
      bounds,
    );
    await tracker.follow([binding]);

    expect(answers).toEqual(Array(3).fill({ kind: "unreachable", reason: "endpoint not configured" }));
    expect(tracker.states()).toEqual([{ binding, state: "orphaned", reason: "endpoint not configured" }]);
    expect(server.connections).toBe(0);
    await source.close();
    await server.close();
  });

  it("are not left by a binding that was never checked", async () => {
    const server = await fakeServer((_request, response) => response.end());
    const source = createS3Source({ endpoints: [server.url], credentials });
    const bucket = "arn:aws:s3:us-east-1:123456789012:accesspoint/canary";

    const answers = await source.observe([{ binding: { type: "s3", bucket, key: "a", endpoint: server.url } }], bounds);

    expect(answers).toEqual([{ kind: "unreachable", reason: "not an S3 binding" }]);
    expect(server.connections).toBe(0);
    await source.close();
    await server.close();
  });

  it("may be without TLS on this machine only, unless that is allowed", () => {
    const made = (url: string, allowClearText?: boolean) => () =>
      createS3Source({ endpoints: [{ url, ...(allowClearText === undefined ? {} : { allowClearText }) }] });

    for (const host of ["localhost", "127.0.0.1", "127.8.9.10", "[::1]", "2130706433", "0x7f.1"]) {
      expect(made(`http://${host}:9000`), host).not.toThrow();
    }
    for (const host of ["minio.example", "10.0.0.1", "0.0.0.0", "[::ffff:127.0.0.1]", "[::]", "localhost.example"]) {
      expect(made(`http://${host}:9000`), host).toThrow(expect.objectContaining({ code: "source/invalid-option" }));
      expect(made(`http://${host}:9000`, true), host).not.toThrow();
      expect(made(`https://${host}:9000`), host).not.toThrow();
    }
  });

  it("are origins and nothing more, and a refusal repeats none of them", () => {
    for (const url of ["minio", "https://user:canary@minio.example", "https://minio.example/path", "file:///canary"]) {
      let said = "";
      try {
        createS3Source({ endpoints: ["https://fine.example", url] });
      } catch (error) {
        said = JSON.stringify(error) + String(error);
        expect(error).toMatchObject({ code: "source/invalid-option", data: { option: "endpoints[1]" } });
      }
      expect(said).toContain("endpoints[1]");
      expect(said).not.toMatch(/canary|minio\.example\/path/);
    }
  });

  it.each([
    { pollMs: 1 },
    { pollMs: Number.NaN },
    { pollMs: 1e9 },
    { requestsAtOnce: 0 },
    { requestsAtOnce: 17 },
    { requestsAtOnce: 1.5 },
    { endpoints: Array(65).fill("https://minio.example") },
  ])("and the other options have bounds: %j", (options) => {
    expect(() => createS3Source(options)).toThrow(expect.objectContaining({ code: "source/invalid-option" }));
  });

  it("are waited for no longer than the deadline, the search for credentials included", async () => {
    const url = "http://127.0.0.1:9";
    const source = createS3Source({ endpoints: [{ url, credentials: () => new Promise(() => {}) }] });
    const binding = source.bind({ bucket: "bucket", key: "a", endpoint: url });

    const answers = await source.observe([{ binding }], { ...bounds, deadlineMs: 50 });

    expect(answers).toEqual([{ kind: "unreachable", reason: "deadline passed" }]);
    await source.close();
  });

  it("have their own credentials and region, and take the others where they have none", async () => {
    const seen: string[] = [];
    const server = await fakeServer(({ headers }, response) => {
      seen.push(String(headers.authorization));
      response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
    });
    const look = async (endpoint: object): Promise<void> => {
      const source = createS3Source({ credentials, endpoints: [{ url: server.url, ...endpoint }] });
      await source.observe([{ binding: source.bind({ bucket: "bucket", key: "a", endpoint: server.url }) }], bounds);
      await source.close();
    };

    await look({});
    await look({ region: "eu-west-1", credentials: { accessKeyId: "own-id", secretAccessKey: "own" } });
    await look({ credentials: async () => ({ accessKeyId: "asked-id", secretAccessKey: "own" }) });

    expect(seen.map((text) => /Credential=([^/]+)\/\d+\/([^/]+)/.exec(text)?.slice(1))).toEqual([
      ["canary-id", "us-east-1"],
      ["own-id", "eu-west-1"],
      ["asked-id", "us-east-1"],
    ]);
    await server.close();
  });
});
