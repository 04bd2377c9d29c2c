// @module-tag process
// Verifies: T18
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeServer, fakeServer } from "./support/fake-server.ts";
import { runProgram } from "./support/run-program.ts";

const canary = "canary7f3a";
const error = (code: string): string =>
  `<Error><Code>${code}</Code><Message>${canary}</Message><Resource>/${canary}</Resource></Error>`;

/** Failures of every kind, with the canary wherever a server can put it. */
const answers: readonly ((response: ServerResponse) => void)[] = [
  ...[400, 401, 403, 404, 405, 409, 412, 416, 429, 500, 503].map((status) => (response: ServerResponse) => {
    response.writeHead(status, { "x-amz-request-id": canary }).end(error(canary));
  }),
  (response) => response.writeHead(403).end(error("SignatureDoesNotMatch")),
  (response) => response.writeHead(404).end(error("NoSuchKey")),
  (response) => response.writeHead(404).end(error("NoSuchBucket")),
  (response) => response.writeHead(301, { location: `http://${canary}.invalid/` }).end(error("PermanentRedirect")),
  (response) => response.writeHead(200, { "content-type": "text/html" }).end(`<p>${canary}`),
  (response) => response.writeHead(200, { etag: canary.repeat(40) }).end(canary),
  (response) => response.writeHead(304, { etag: `"${canary}"` }).end(),
  (response) => response.writeHead(403).end(`<Error><${canary}`),
  (response) => {
    response.writeHead(200, { etag: `"${canary}"`, "content-length": 500 }).flushHeaders();
    response.write(canary, () => response.destroy());
  },
  (response) => {
    response.writeHead(200, { etag: `"x-1"`, "content-length": 10, "x-amz-checksum-crc32": "AAAAAA==" }).end(canary);
  },
  (response) => response.socket?.end(`${canary} is no HTTP\r\n\r\n`),
  (response) => response.destroy(),
];

describe("keys, credentials and what servers say", () => {
  let server: FakeServer;
  beforeAll(async () => {
    let n = 0;
    server = await fakeServer((_request, response) => answers[n++ % answers.length]?.(response));
  });
  afterAll(() => server.close());

  it("appear in no answer, error, state or output of 300 failures", async () => {
    const program = `
const { createS3Source } = await import(process.env.TEST_PACKAGE);
const endpoint = process.env.TEST_URL, canary = process.env.CANARY;
const credentials = { accessKeyId: canary + "1", secretAccessKey: canary + "2", sessionToken: canary + "3" };
const source = createS3Source({ endpoints: [endpoint], credentials, random: () => 1 });
const requests = Array.from({ length: 300 }, (_, n) => ({
  binding: source.bind({ bucket: canary, key: canary + n, endpoint }),
  ...(n % 3 === 0 ? { want: "existence" } : n % 3 === 1 ? { known: { sourceHash: canary, hint: "h" } } : {}),
}));
const answers = await source.observe(requests, { contentBytesMax: 1000, deadlineMs: 60000 });
const tracker = source.track(() => {});
await tracker.follow(requests.slice(0, 30).map(({ binding }) => binding));
const reasons = [...answers, ...tracker.states()].map(({ reason }) => reason);
const errors = [];
for (const value of [{ bucket: canary + "/", key: canary }, { bucket: canary, key: canary + "\\ud800" }, { bucket: canary, key: "a", endpoint: "http://" + canary + "@x" }])
  try { source.bind(value); } catch (error) { errors.push(String(error.stack), JSON.stringify(error)); }
for (const url of ["http://" + canary + ".example", "https://" + canary + "@x.example"])
  try { createS3Source({ endpoints: [url] }); } catch (error) { errors.push(String(error.stack), JSON.stringify(error)); }
console.log(JSON.stringify({ failures: reasons.filter(Boolean).length, kinds: new Set(reasons).size, errors }));
await source.close();
`;
    const { code, stdout, stderr } = await runProgram(program, { TEST_URL: server.url, CANARY: canary });

    const { failures, kinds, errors } = JSON.parse(stdout);
    expect({ code, stderr, errors: errors.length }).toEqual({ code: 0, stderr: "", errors: 10 });
    expect(failures).toBeGreaterThan(250);
    expect(kinds).toBeGreaterThan(6);
    expect(stdout + stderr).not.toContain(canary);
  });
});
