// @module-tag process
// Verifies: an endpoint that fails ends in a typed error that names neither key nor content; retries are bounded.
import { createMemoryStore, isCmError } from "@cm/object-model";
import { describe, expect, it } from "vitest";
import { ask } from "../../src/live/endpoint/ask.ts";
import { endpointOf } from "../../src/live/endpoint/endpoint.ts";
import { pauseBefore } from "../../src/live/endpoint/retry.ts";
import { cut, type FlakyServer, flakyServer, hang, ok, status } from "./support/flaky-server.ts";
import { key, runAnswers, taskOf } from "./support/scripted-run.ts";

const at = (url: string) =>
  endpointOf({ CM_LIVE_PROTOCOL: "openai", CM_LIVE_URL: url, CM_LIVE_KEY: key, CM_LIVE_MODEL: "m" });

/** Asks once, with pauses that are written down and not waited for. */
async function asked(server: FlakyServer, requestMs = 5_000) {
  const pauses: number[] = [];
  const wait = async (ms: number) => void pauses.push(ms);
  try {
    const outcome = await ask(at(server.url), "{}", { retriesMax: 2, requestMs, wait });
    return { ...outcome, pauses, count: server.count() };
  } catch (error) {
    if (!isCmError(error)) throw error;
    return { code: error.code, text: JSON.stringify(error) + error.message, pauses, count: server.count() };
  } finally {
    await server.close();
  }
}

describe("an endpoint", () => {
  it("is asked again after a failure, later each time", async () => {
    const outcome = await asked(await flakyServer(status(500), status(529), ok));

    expect(outcome).toMatchObject({ json: { fine: true }, retries: 2, pauses: [500, 1_000] });
  });

  it("is asked again when it says so", async () => {
    const outcome = await asked(await flakyServer(status(429, { "retry-after": "7" }), ok));

    expect(outcome).toMatchObject({ retries: 1, pauses: [7_000] });
  });

  it("may name a date", () => {
    const date = "Sun, 22 Nov 2026 12:00:10 GMT";
    const busy = { kind: "status", status: 503, repeatable: true, retryAfter: date, word: undefined } as const;

    expect(pauseBefore(busy, 0, Date.parse(date) - 10_000)).toBe(10_000);
    expect(pauseBefore(busy, 0, Date.parse(date) + 1)).toBe(0);
    expect(pauseBefore({ ...busy, retryAfter: "soon" }, 3)).toBe(4_000);
  });

  it.each([
    ["fails each time", [status(500)], "live/failed", 3],
    ["is busy each time", [status(429, { "retry-after": "1" })], "live/failed", 3],
    ["asks for more patience than there is", [status(429, { "retry-after": "3600" })], "live/failed", 1],
    ["refuses the request", [status(401)], "live/refused", 1],
    ["sends the key elsewhere", [status(307, { location: "http://127.0.0.1:9/" })], "live/refused", 1],
    ["cuts its answers", [cut], "live/unreachable", 3],
    ["answers no JSON", [status(200, {}, "<html>")], "live/bad-answer", 3],
  ] as const)("that %s gives a typed error", async (_what, behaviours, code, count) => {
    const outcome = await asked(await flakyServer(...behaviours));

    expect(outcome).toMatchObject({ code, count });
  });

  it("that hangs is given up, and not asked again", async () => {
    const outcome = await asked(await flakyServer(hang), 50);

    expect(outcome).toMatchObject({ code: "live/timeout", count: 1 });
  });

  it("that quotes the key or the request is not quoted", async () => {
    const body = JSON.stringify({
      error: { type: `bad_${key}`, code: "bad_model", message: `Bearer ${key} said hello` },
    });

    const outcome = await asked(await flakyServer(status(400, {}, body)));

    expect(outcome.text).toContain("bad_model");
    expect(outcome.text).not.toContain(key);
    expect(outcome.text).not.toContain("hello");
  });

  it("whose answer is not of the protocol ends the run, and no step is written of it", async () => {
    const store = createMemoryStore();
    const server = await flakyServer(status(200, {}, '{"choices":[]}'));
    try {
      const run = runAnswers(taskOf({ "a.txt": "x\n" }), [], {
        protocol: "openai",
        policy: "log",
        url: server.url,
        store,
      });

      await expect(run).rejects.toMatchObject({ code: "live/bad-answer" });
    } finally {
      await server.close();
    }
    expect((await store.find({ type: "step" })).versions).toEqual([]);
  });

  it("keeps its key to itself, and takes it out of the variables", () => {
    const variables = { CM_LIVE_PROTOCOL: "openai", CM_LIVE_URL: "http://h/v1", CM_LIVE_KEY: key, CM_LIVE_MODEL: "m" };

    const endpoint = endpointOf(variables);

    expect(JSON.stringify(endpoint)).not.toContain(key);
    expect(variables).not.toHaveProperty("CM_LIVE_KEY");
    expect(endpoint.key()).toBe(key);
  });

  it.each([
    ["an unknown protocol", { CM_LIVE_PROTOCOL: "smtp" }],
    ["an address that is none", { CM_LIVE_URL: "here" }],
    ["an address of a file", { CM_LIVE_URL: "file:///etc/passwd" }],
    ["an address with a login", { CM_LIVE_URL: `http://me:${key}@h/` }],
    ["no model", { CM_LIVE_MODEL: "" }],
    ["a window of no size", { CM_LIVE_WINDOW_TOKENS: "large" }],
    ["further members that are none", { CM_LIVE_EXTRA: "[1]" }],
    ["further members that hold the key", { CM_LIVE_KEY: key, CM_LIVE_EXTRA: JSON.stringify({ user: key }) }],
    ["a key of two lines", { CM_LIVE_KEY: `${key}\nx` }],
  ])("is refused with %s, and nothing of it is repeated", (_what, wrong) => {
    const variables = { CM_LIVE_PROTOCOL: "openai", CM_LIVE_URL: "http://h", CM_LIVE_MODEL: "m", ...wrong };

    expect(() => endpointOf(variables)).toThrow(expect.objectContaining({ code: "live/usage", data: {} }));
    expect(() => endpointOf(variables)).not.toThrow(key);
  });

  it.each([
    ["openai", "https://h/v1", "https://h/v1/chat/completions"],
    ["openai", "https://h/v1/chat/completions", "https://h/v1/chat/completions"],
    ["anthropic", "https://h", "https://h/v1/messages"],
    ["anthropic", "https://h/api/v1/", "https://h/api/v1/messages"],
    ["anthropic", "https://h/v1/messages", "https://h/v1/messages"],
  ])("of %s at %s is asked at %s", (protocol, url, asked) => {
    const endpoint = endpointOf({ CM_LIVE_PROTOCOL: protocol, CM_LIVE_URL: url, CM_LIVE_MODEL: "m" });

    expect(endpoint.url.href).toBe(asked);
  });
});
