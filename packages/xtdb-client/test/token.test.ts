// @module-tag long
// Verifies: T14, no credential and no content gets into errors, logs or what is printed of a client.
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { clientLimits, connectXtdb, datalog, put, XtdbError } from "../src/index.ts";
import { everyCall } from "./support/every-call.ts";
import { reply, scriptedServer } from "./support/scripted-server.ts";
import { thrown } from "./support/thrown.ts";

const token = "qzXkWvJ0pLm3RtY7-token";
const content = "qzXkWvJ0pLm3RtY7-content";
const canary = "qzXkWvJ0pLm3RtY7";

const shown = (value: unknown): string =>
  `${inspect(value, { depth: 20, showHidden: true })} ${JSON.stringify(value)} ${value} ${value instanceof Error ? value.stack : ""}`;

it("500 failing calls tell neither the token nor content, though the server repeats both", async () => {
  const printed = (["log", "info", "warn", "error", "debug"] as const).map((name) => vi.spyOn(console, name));
  const warned: unknown[] = [];
  process.on("warning", (warning) => warned.push(warning));
  const faults = [400, 401, 403, 404, 405, 409, 413, 414, 418, 500, 502, 503, 200, 202, 302];
  const server = await scriptedServer(({ number, head, body }, socket) => {
    const echo = JSON.stringify({
      error: [head],
      message: head,
      errorKey: content,
      class: `${content} ${head}`,
      op: body,
    });
    if (number % 17 === 16) socket.resetAndDestroy();
    else if (number % 17 === 15) socket.end(`HTTP/1.1 200 ${content}\r\ncontent-length: 9\r\n\r\n${content}`);
    else
      reply(socket, {
        status: faults[number % 15] ?? 500,
        type: content.repeat(number % 2) || "application/json",
        body: echo,
        headers: `location: http://${token}/\r\n`,
      });
  });
  const client = connectXtdb({ urls: server.url, token, deadlineMs: 5_000 });
  const calls = [
    ...everyCall(client).filter((_, place) => place !== 1),
    () => client.submit([put({ "xt/id": content, content })]),
    () => client.submit([put({ "xt/id": content, content: `${content}\ud800` })]),
    () => client.entity(content),
    () => client.entity(content.repeat(9_999)),
    () => client.query(datalog`{:find [e] :in [n]}`, [content]),
    () => client.pull([content]),
    () => client.histories([content]),
  ];
  const errors: unknown[] = [];

  while (errors.length < 500) {
    for (const call of calls) {
      await call().catch((error: unknown) => errors.push(error));
    }
  }

  const told = errors.map(shown);
  expect(server.requests[0]?.head).toContain(`authorization: Bearer ${token}`);
  expect(errors.filter((error) => !(error instanceof XtdbError))).toEqual([]);
  expect(told.filter((text) => text.includes(token))).toEqual([]);
  // A name the server made up may be shown: letters, digits and dots only, and not long.
  expect(told.filter((text) => text.replaceAll(`"errorKey":"${content}"`, "").includes(`"${content}`))).toEqual([]);
  expect(printed.flatMap((spy) => spy.mock.calls)).toEqual([]);
  expect(warned.map(shown).join()).not.toContain(canary);
  expect(shown(client)).not.toContain(canary);
  await client.close();
});

describe("a token is refused", () => {
  it.each(["", `${token}\r\nx: y`, `${token} b`, `${token}\u00e9`, "x".repeat(clientLimits.tokenCharsMax + 1)])(
    "without being repeated",
    (bad) => {
      const error = thrown(() => connectXtdb({ urls: "http://127.0.0.1:1", token: bad }));

      expect(error.code).toBe("xtdb/invalid");
      expect(shown(error)).not.toContain(canary);
    },
  );
});
