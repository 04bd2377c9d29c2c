// Verifies: the faults F3, F4 and T15 as a client meets them, and what the proxy tells of them.
import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Fault, type FaultProxy, type FaultRule, faults, openFaultProxy } from "../src/index.ts";
import { Asker } from "./support/http-asking.ts";
import { answer, type HttpTarget, openHttpTarget } from "./support/http-target.ts";

let target: HttpTarget;
let proxy: FaultProxy;
let asker: Asker;

beforeEach(async () => {
  target = await openHttpTarget();
  proxy = await openFaultProxy({ target, dripMs: 1 });
  asker = new Asker(proxy.url);
});

afterEach(async () => {
  asker.close();
  await proxy.close();
  await target.close();
});

const plan = async (rule: FaultRule): Promise<void> => await proxy.plan([rule]);
const json = (body: Buffer): unknown => JSON.parse(body.toString());

describe("without a fault", () => {
  it("passes bodies with a length, in chunks or up to the end, on one connection", async () => {
    const plain = await asker.ask({ method: "POST", body: "a text" });
    const chunked = await asker.ask({ method: "POST", path: "/chunked", body: ["in ", "several ", "parts"] });
    const head = await asker.ask({ method: "HEAD" });
    const none = await asker.ask({ path: "/none" });
    const unsized = await asker.ask({ path: "/until-end?x=1" });

    expect([json(plain.body), json(chunked.body)]).toEqual([answer, answer]);
    expect([head.status, head.body.length, none.status]).toEqual([200, 0, 204]);
    expect(json(unsized.body)).toEqual(answer);
    expect(target.got.map(({ body }) => body)).toEqual(["a text", "in several parts", "", "", ""]);
    expect(asker.ports.size).toBe(1);
    expect(proxy.seen.at(-1)).toEqual({
      n: 5,
      method: "GET",
      path: "/until-end",
      query: "x=1",
      fault: undefined,
      forwarded: true,
      targetStatus: 200,
    });
  });

  it("passes a request that comes in pieces, and the one that comes right behind it", async () => {
    const client = connect({ port: proxy.port, host: "127.0.0.1", noDelay: true });
    let received = "";
    client.on("data", (chunk) => {
      received += chunk;
    });
    await once(client, "connect");

    for (const letter of "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabcGET /none HTTP/1.1\r\nhost: x\r\n") {
      client.write(letter);
    }
    client.write("connection: close\r\n\r\n");
    await once(client, "close");

    expect(target.got).toEqual([
      { line: "POST /", body: "abc" },
      { line: "GET /none", body: "" },
    ]);
    expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\}HTTP\/1\.1 204 No Content\r\n/s);
  });

  it("lets the target know when a client hangs up", async () => {
    const hangUp = new AbortController();

    const error = asker.fails({ path: "/hangs", signal: hangUp.signal });
    await expect.poll(() => target.got).toHaveLength(1);
    hangUp.abort();
    await target.hungUp;

    expect(await error).toBe("ABORT_ERR");
  });

  it("ends the client's connection when the target ends its own", async () => {
    const client = connect({ port: proxy.port, host: "127.0.0.1" });
    client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    await once(client, "data");

    for (const socket of target.sockets) socket.destroy();

    await once(client, "close");
  });

  it("ends the connection when the target is not there", async () => {
    const elsewhere = await openFaultProxy({ target: { host: "127.0.0.1", port: proxy.port } });
    await proxy.close();

    const error = await new Asker(elsewhere.url).fails();

    expect(error).toBe("ECONNRESET");
    expect(elsewhere.seen).toMatchObject([{ n: 1, forwarded: false, targetStatus: undefined }]);
    await elsewhere.close();
  });
});

describe("a fault", () => {
  it.each<[Fault, string, boolean]>([
    ["reset", "ECONNRESET", false],
    ["cut-before-reply", "ECONNRESET", true],
    ["cut-in-reply", "ECONNRESET", true],
    ["not-http", "HPE_INVALID_CONSTANT", true],
  ])("%s ends the question in %s; target got it: %s", async (fault, code, forwarded) => {
    await plan({ fault });

    const error = await asker.fails({ method: "POST", body: "a text" });

    expect(error).toBe(code);
    expect(target.got).toHaveLength(forwarded ? 1 : 0);
    expect(proxy.seen).toMatchObject([{ fault, forwarded, targetStatus: forwarded ? 200 : undefined }]);
  });

  it.each<[Fault, number, string, string]>([
    ["empty", 200, "application/json", ""],
    ["wrong-type", 200, "text/html", "<!doctype html><title>Please sign in</title>\n"],
    ["redirect", 307, "", ""],
    ["error-500", 500, "application/json", '{"error":"planned"}'],
  ])("%s answers %i as %s", async (fault, status, type, body) => {
    await plan({ fault });

    const got = await asker.ask();

    expect([got.status, got.type ?? "", got.body.toString()]).toEqual([status, type, body]);
    expect(got.location).toBe(fault === "redirect" ? "/redirected" : undefined);
    const forwarded = fault !== "redirect";
    expect(proxy.seen).toMatchObject([{ fault, forwarded, targetStatus: forwarded ? 200 : undefined }]);
  });

  it("garbage answers 200 in the right type with an unparsable body", async () => {
    await plan({ fault: "garbage" });

    const got = await asker.ask();

    expect([got.status, got.type]).toEqual([200, "application/json"]);
    expect(() => json(got.body)).toThrow(SyntaxError);
    expect(() => new TextDecoder("utf8", { fatal: true }).decode(got.body)).toThrow(TypeError);
  });

  it.each(["/", "/chunked"])("truncated ends %s well, with half of the body", async (path) => {
    await plan({ fault: "truncated" });
    const text = JSON.stringify(answer);

    const got = await asker.ask({ path });

    expect(got.body.toString()).toBe(text.slice(0, Math.floor(text.length / 2)));
  });

  it("slow-drip sends the head and byte after byte, and never ends", async () => {
    await plan({ fault: "slow-drip" });
    const client = connect({ port: proxy.port, host: "127.0.0.1" });
    let received = "";
    client.on("data", (chunk) => {
      received += chunk;
    });

    client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    const whole = JSON.stringify(answer);
    await expect.poll(() => received.endsWith(whole.slice(0, -1))).toBe(true);

    expect(client.readyState).toBe("open");
    client.destroy();
  });

  it("never leaves the question open until the client goes, and the target did its work", async () => {
    await plan({ fault: "never" });
    const patience = new AbortController();

    const error = asker.fails({ method: "POST", body: "a text", signal: patience.signal });
    await expect.poll(() => proxy.seen[0]?.targetStatus).toBe(200);
    patience.abort();

    expect(await error).toBe("ABORT_ERR");
    expect(target.got).toEqual([{ line: "POST /", body: "a text" }]);
  });

  it("late brings the request to the target when the client has given up", async () => {
    await plan({ fault: "late" });
    const patience = new AbortController();

    const error = asker.fails({ method: "POST", body: "a text", signal: patience.signal });
    await expect.poll(() => proxy.seen).toHaveLength(1);
    const before = target.got.length;
    patience.abort();
    await proxy.settled();

    expect([await error, before]).toEqual(["ABORT_ERR", 0]);
    expect(target.got).toEqual([{ line: "POST /", body: "a text" }]);
    expect(proxy.seen).toMatchObject([{ fault: "late", forwarded: true, targetStatus: 200 }]);
  });

  it("late can be later than what was asked after it", async () => {
    await plan({ fault: "late", heldFor: 2 });
    const patience = new AbortController();
    const error = asker.fails({ path: "/?late", signal: patience.signal });
    await expect.poll(() => proxy.seen).toHaveLength(1);
    patience.abort();
    await error;

    await asker.ask({ path: "/?first" });
    await asker.ask({ path: "/?second" });
    await proxy.settled();

    expect(target.got.map(({ line }) => line)).toEqual(["GET /?first", "GET /?second", "GET /?late"]);
  });

  it("late ends its waiting with the next plan, or is forgotten when the proxy closes", async () => {
    await plan({ fault: "late", heldFor: 9, times: 2 });
    const patience = new AbortController();
    const other = new Asker(proxy.url);
    const first = asker.fails({ signal: patience.signal });
    await expect.poll(() => proxy.seen).toHaveLength(1);
    patience.abort();
    await first;

    await plan({ fault: "late", heldFor: 9 });
    await proxy.settled();
    const second = other.fails();
    await expect.poll(() => proxy.seen).toHaveLength(1);
    await proxy.close();

    expect([await second, target.got.length]).toEqual(["ECONNRESET", 1]);
  });

  it.each(faults.filter((fault) => !["refused", "reset", "cut-in-reply", "truncated", "slow-drip"].includes(fault)))(
    "%s can be had without the target hearing of it",
    async (fault) => {
      await plan({ fault, forward: false });
      const patience = new AbortController();

      const answered = asker.fails({ signal: patience.signal });
      await expect.poll(() => proxy.seen).toHaveLength(1);
      patience.abort();
      await answered;

      expect(target.got).toEqual([]);
      expect(proxy.seen).toMatchObject([{ fault, forwarded: false, targetStatus: undefined }]);
    },
  );
});

describe("refused", () => {
  it("means that no server listens, from the first request on", async () => {
    await plan({ fault: "refused" });

    expect([await asker.fails(), await asker.fails()]).toEqual(["ECONNREFUSED", "ECONNREFUSED"]);
    expect(proxy.seen).toEqual([]);
  });

  it("takes kept connections away with the last answer before it, and ends with the next plan", async () => {
    await plan({ fault: "refused", nth: 3 });

    const before = [await asker.ask(), await asker.ask()].map(({ status }) => status);
    const during = await asker.fails();
    await proxy.plan([]);
    const after = await asker.ask();

    expect([before, during, after.status]).toEqual([[200, 200], "ECONNREFUSED", 200]);
    expect(target.got).toHaveLength(3);
  });

  it("resets the request where only the request itself shows that it is meant", async () => {
    await plan({ fault: "refused", path: "/chunked" });

    const errors = [await asker.fails({ path: "/chunked" }), await asker.fails()];

    expect(errors).toEqual(["ECONNRESET", "ECONNREFUSED"]);
    expect(target.got).toEqual([]);
  });
});

describe("close", () => {
  it("leaves no socket, whatever was under way", async () => {
    await proxy.plan([
      { fault: "never", path: "/a" },
      { fault: "slow-drip", path: "/b" },
    ]);
    const askers = ["/a", "/b", "/hangs"].map((path) => new Asker(proxy.url).fails({ path }));
    await expect.poll(() => target.got).toHaveLength(3);

    await proxy.close();
    await proxy.close();

    expect(await Promise.all(askers)).toEqual(["ECONNRESET", "ECONNRESET", "ECONNRESET"]);
    await expect.poll(() => target.sockets.size).toBe(0);
    expect(await asker.fails()).toBe("ECONNREFUSED");
  });

  it("comes after which there are no more plans", async () => {
    await proxy.close();

    await expect(proxy.plan([])).rejects.toThrow("open a new one");
  });
});
