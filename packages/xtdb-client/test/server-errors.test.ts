// Verifies: each answer that says no, in both spellings of upstream, becomes the code to decide by.
import { describe, expect, it } from "vitest";
import { connectXtdb, type XtdbErrorCode } from "../src/index.ts";
import { edn, reply, scriptedServer } from "./support/scripted-server.ts";
import { rejected } from "./support/thrown.ts";

const json = "application/json";

/** Status, type and body; then what a read and a submit make of it. */
const cases: readonly (readonly [string, number, string, string, XtdbErrorCode, XtdbErrorCode, object])[] = [
  [
    "an await that timed out",
    500,
    json,
    '{"type":"exception","class":"java.util.concurrent.TimeoutException"}',
    "xtdb/deadline",
    "xtdb/unknown-outcome",
    { serverClass: "java.util.concurrent.TimeoutException" },
  ],
  [
    "a dead ingester",
    500,
    edn,
    '{:type "exception" :class "java.lang.Exception"}',
    "xtdb/server",
    "xtdb/unknown-outcome",
    { serverClass: "java.lang.Exception" },
  ],
  [
    "a body of another library",
    500,
    json,
    '{"message":"No implementation of method: :write-body-to-stream"}',
    "xtdb/server",
    "xtdb/unknown-outcome",
    { status: 500 },
  ],
  [
    "a node behind, on query and entity",
    400,
    json,
    '{"xtdb.error/error-type":"node-out-of-sync","xtdb.error/message":"m","requested":{"xtdb.api/tx-id":9}}',
    "xtdb/out-of-sync",
    "xtdb/out-of-sync",
    { errorType: "node-out-of-sync" },
  ],
  [
    "a node behind, elsewhere",
    400,
    json,
    '{"errorType":"node-out-of-sync","message":"m"}',
    "xtdb/out-of-sync",
    "xtdb/out-of-sync",
    { errorType: "node-out-of-sync" },
  ],
  [
    "a node behind, in EDN",
    400,
    edn,
    '{:xtdb.error/error-type :node-out-of-sync, :xtdb.error/message "m"}',
    "xtdb/out-of-sync",
    "xtdb/out-of-sync",
    { errorType: "node-out-of-sync" },
  ],
  [
    "a bad operation",
    400,
    edn,
    '{:xtdb.error/error-type :illegal-argument, :xtdb.error/error-key :invalid-tx-op, :xtdb.error/message "m" :op [1]}',
    "xtdb/refused",
    "xtdb/refused",
    { errorType: "illegal-argument", errorKey: "invalid-tx-op" },
  ],
  [
    "a function that is not allowed",
    400,
    json,
    '{"xtdb.error/error-type":"illegal-argument","xtdb.error/error-key":"fn-not-allowed"}',
    "xtdb/refused",
    "xtdb/refused",
    { errorKey: "fn-not-allowed" },
  ],
  ["a malformed body", 400, json, '{"error":"Malformed"}', "xtdb/refused", "xtdb/refused", { status: 400 }],
  [
    "a map of a validator",
    400,
    json,
    '{"spec":"..","type":"reitit.coercion/x"}',
    "xtdb/refused",
    "xtdb/refused",
    { status: 400 },
  ],
  [
    "a missing token",
    401,
    "text/plain",
    "JWT Failed to validate",
    "xtdb/unauthorized",
    "xtdb/unauthorized",
    { status: 401 },
  ],
  [
    "a read-only node",
    403,
    "text/plain",
    "forbidden: read-only HTTP node",
    "xtdb/forbidden",
    "xtdb/forbidden",
    { status: 403 },
  ],
  ["a wrong path", 404, "", "", "xtdb/bad-answer", "xtdb/bad-answer", { status: 404 }],
  ["a wrong method", 405, "", "", "xtdb/bad-answer", "xtdb/bad-answer", { status: 405 }],
  ["a body too large", 413, json, '{"error":"too large"}', "xtdb/too-large", "xtdb/too-large", { status: 413 }],
  ["a URL too long", 414, "text/html", "<h1>Bad Message 414</h1>", "xtdb/too-large", "xtdb/too-large", { status: 414 }],
  [
    "a name that is none",
    400,
    json,
    '{"errorKey":"a b <script>","class":{}}',
    "xtdb/refused",
    "xtdb/refused",
    { status: 400 },
  ],
];

describe.each(cases)("%s", (_, status, type, body, reading, submitting, data) => {
  it("is told apart", async () => {
    const server = await scriptedServer((_request, socket) => reply(socket, { status, type, body }));
    const client = connectXtdb({ urls: server.url });

    const read = await rejected(client.basis());
    const submit = await rejected(client.submit([]));

    expect([read.code, submit.code]).toEqual([reading, submitting]);
    expect(read.data).toMatchObject({ endpoint: "db", ...data });
    expect(read.message).toMatch(/^db: /);
    expect(server.requests).toHaveLength(2);
    await client.close();
  });
});

it("absent is a value where XTDB says so, and an error where another program does", async () => {
  const bodies = ['{"error":"a entity not found"}', '{:error "a entity not found"}', "", '{"errors":1}'];
  const server = await scriptedServer(({ number }, socket) =>
    reply(socket, { status: 404, type: number % 4 === 1 ? edn : json, body: bodies[number % 4] ?? "" }),
  );
  const client = connectXtdb({ urls: server.url });

  expect(await client.entity("a")).toBeUndefined();
  expect(await client.entityTx("a")).toBeUndefined();
  expect((await rejected(client.entity("a"))).code).toBe("xtdb/bad-answer");
  expect((await rejected(client.latestCompleted())).code).toBe("xtdb/bad-answer");
  await client.close();
});
