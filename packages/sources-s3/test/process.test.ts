// @module-tag process
// Verifies: SSOT 5.11, T9
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeServer, fakeServer } from "./support/fake-server.ts";
import { runProgram } from "./support/run-program.ts";

const start = `
const { createS3Source } = await import(process.env.TEST_PACKAGE);
const endpoint = process.env.TEST_URL;
const source = createS3Source({ endpoints: [endpoint], credentials: { accessKeyId: "a", secretAccessKey: "b" } });
const { subscribe } = await import("node:diagnostics_channel");
const whenAsked = (task) => subscribe("http.client.request.start", task);
const look = async (key, deadlineMs = 5000) => {
  const binding = source.bind({ bucket: "bucket", key, endpoint });
  const [answer] = await source.observe([{ binding }], { contentBytesMax: 100, deadlineMs });
  console.log(answer.kind, answer.content?.withheld ?? answer.reason ?? answer.content?.text ?? "");
};
`;

describe("a process with a source of objects in S3", () => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await fakeServer(({ url = "" }, response) => {
      if (url.startsWith("/bucket/large")) {
        // Declared, begun and never sent to the end, on a connection that stays open.
        response.writeHead(200, { etag: '"large"', "content-length": 1e9 });
        response.write("x".repeat(1e6));
      } else if (url.startsWith("/bucket/endless")) {
        response.writeHead(200, { etag: '"endless"' });
        response.write("x".repeat(1e6));
      } else if (url.startsWith("/bucket/text")) {
        response.writeHead(200, { etag: '"text"', "content-length": 4 }).end("text");
      }
      // Anything else hangs.
    });
  });
  afterAll(() => server.close());

  it.each([
    ["is closed after a text", 'await look("text"); await source.close();', "present text\n"],
    ["is not closed after a text", 'await look("text");', "present text\n"],
    ["is not closed after a body that was too large", 'await look("large");', "present too_large\n"],
    ["is not closed after a body without an end", 'await look("endless");', "present too_large\n"],
    ["is not closed after a deadline", 'await look("hangs", 100);', "unreachable deadline passed\n"],
    [
      "still tracks",
      'const t = source.track(() => {}); await t.follow([source.bind({ bucket: "bucket", key: "text", endpoint })]); console.log(t.states()[0].state);',
      "attached\n",
    ],
    [
      "is closed while it looks",
      'whenAsked(() => source.close()); await look("hangs"); await look("text");',
      "unreachable source closed\nunreachable source closed\n",
    ],
  ])("ends by itself when it %s", async (_what, rest, said) => {
    const ended = await runProgram(start + rest, { TEST_URL: server.url });

    expect(ended).toEqual({ code: 0, stdout: said, stderr: "" });
  });

  it("loads the client with its first observation and not before", async () => {
    const program = `
import { registerHooks } from "node:module";
let loaded = 0;
registerHooks({ resolve: (name, context, next) => { if (name.includes("client-s3")) loaded++; return next(name, context); } });
const { createS3Source } = await import(process.env.TEST_PACKAGE);
const endpoint = process.env.TEST_URL;
const source = createS3Source({ endpoints: [endpoint], credentials: { accessKeyId: "a", secretAccessKey: "b" } });
const binding = source.bind({ bucket: "bucket", key: "text", endpoint });
source.describe(source.parseBinding(binding));
source.track(() => {});
const before = loaded;
await source.observe([{ binding }], { contentBytesMax: 100, deadlineMs: 60000 });
console.log(before, loaded > 0);
`;
    expect(await runProgram(program, { TEST_URL: server.url })).toEqual({ code: 0, stdout: "0 true\n", stderr: "" });
  });

  it("sends nothing to an endpoint of the environment: a binding without one means AWS", async () => {
    const before = server.connections;
    const program = `
const { default: dns } = await import("node:dns");
const asked = new Set();
dns.lookup = (host, _options, done) => {
  asked.add(host);
  done(Object.assign(new Error("The test resolves no names."), { code: "ENOTFOUND" }));
};
const { createS3Source } = await import(process.env.TEST_PACKAGE);
const source = createS3Source({ region: "no-region-1", credentials: { accessKeyId: "a", secretAccessKey: "b" } });
const [{ kind }] = await source.observe([{ binding: source.bind("s3://bucket/text") }], { contentBytesMax: 100, deadlineMs: 60000 });
console.log(kind, ...asked);
`;
    const ended = await runProgram(program, { AWS_ENDPOINT_URL: server.url, AWS_ENDPOINT_URL_S3: server.url });

    const stdout = "unreachable bucket.s3.no-region-1.amazonaws.com\n";
    expect(ended).toEqual({ code: 0, stdout, stderr: "" });
    expect(server.connections).toBe(before);
  });
});
