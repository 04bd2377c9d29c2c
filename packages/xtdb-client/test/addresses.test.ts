// Verifies: T14, nothing leaves the machine in clear text unless that was asked for.
import { describe, expect, it } from "vitest";
import { isLoopbackAddress, loopbackLookup } from "../src/address.ts";
import { clientLimits, connectXtdb } from "../src/index.ts";
import { goodReply, reply, scriptedServer } from "./support/scripted-server.ts";
import { rejected, thrown } from "./support/thrown.ts";

const codeOf = (url: string): string | undefined => {
  try {
    connectXtdb({ urls: url });
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe("http to this machine is taken as", () => {
  it.each([
    "http://127.0.0.1:3000",
    "http://127.0.0.1",
    "http://127.255.255.254:3000/",
    "http://127.1:3000",
    "http://2130706433:3000",
    "http://0x7f000001:3000",
    "http://0x7f.0.0.1:3000",
    "http://0177.0.0.1:3000",
    "http://017700000001:3000",
    "http://①②⑦.0.0.1:3000",
    "http://[::1]:3000",
    "http://[0:0:0:0:0:0:0:1]:3000",
    "http://[::ffff:127.0.0.1]:3000",
    "http://[::ffff:7f00:1]:3000",
    "http://localhost:3000",
    "http://LOCALHOST:3000",
    "http://localhost:3000/prefix/",
  ])("%s", (url) => {
    expect(codeOf(url)).toBeUndefined();
  });
});

describe("http to elsewhere is refused as", () => {
  it.each([
    "http://10.0.0.1:3000",
    "http://192.168.1.1",
    "http://128.0.0.1",
    "http://126.255.255.255",
    "http://0.0.0.0:3000",
    "http://0:3000",
    "http://[::]:3000",
    "http://[::2]:3000",
    "http://[::ffff:10.0.0.1]:3000",
    "http://[::127.0.0.1]:3000",
    "http://[fe80::1]:3000",
    "http://[64:ff9b::7f00:1]:3000",
    "http://2130706434.example",
    "http://3232235777:3000",
    "http://0xc0a80101:3000",
    "http://0300.0250.1.1:3000",
    "http://localhost.:3000",
    "http://localhost.example",
    "http://foo.localhost:3000",
    "http://127.0.0.1.nip.io:3000",
    "http://localtest.me:3000",
    "http://ip6-localhost:3000",
    "http://xtdb:3000",
    "http://1.127.0.0.1.example",
  ])("%s", (url) => {
    expect(codeOf(url)).toBe("xtdb/cleartext");
    expect(() => connectXtdb({ urls: url, allowCleartext: true })).not.toThrow();
    expect(() => connectXtdb({ urls: url.replace("http:", "https:") })).not.toThrow();
  });
});

describe("no node's URL is", () => {
  it.each([
    "",
    "127.0.0.1:3000",
    "http://",
    "ftp://127.0.0.1",
    "file:///etc/passwd",
    "ws://127.0.0.1",
    "http://user:secret@127.0.0.1:3000",
    "https://token@example.com",
    "http://127.0.0.1:3000?token=secret",
    "http://127.0.0.1:3000/#secret",
    "http://127.0.0.1:99999",
    "http://127.0.0.256",
  ])("%s", (url) => {
    const error = thrown(() => connectXtdb({ urls: url }));

    expect(error.code).toBe("xtdb/invalid");
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain("secret");
  });

  it.each([[[]], [Array.from({ length: clientLimits.nodesMax + 1 }, (_, n) => `http://127.0.0.1:${n + 1}`)]])(
    "a list of none or too many",
    (urls) => {
      expect(thrown(() => connectXtdb({ urls })).code).toBe("xtdb/invalid");
    },
  );
});

it("one address elsewhere spoils the list", () => {
  const urls = ["http://127.0.0.1:3000", "http://10.0.0.1:3000"];

  expect(thrown(() => connectXtdb({ urls })).code).toBe("xtdb/cleartext");
});

it.each([
  ["127.0.0.1", true],
  ["127.9.9.9", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["10.0.0.1", false],
  ["::ffff:10.0.0.1", false],
  ["::", false],
  ["0.0.0.0", false],
  ["127.0.0.1.example", false],
])("what a name resolves to: %s is loopback: %s", (address, loopback) => {
  expect(isLoopbackAddress(address)).toBe(loopback);
});

it("a name that leads away is not followed, for any caller", async () => {
  const found = await new Promise((resolve) => {
    // An address literal resolves to itself without a resolver.
    loopbackLookup("192.0.2.1", { all: true }, (error, addresses) => resolve({ code: error?.code, addresses }));
  });

  expect(found).toEqual({ code: "ENOTLOOPBACK", addresses: [] });
});

it("localhost is reached through its loopback addresses", async () => {
  const server = await scriptedServer(goodReply);
  const client = connectXtdb({ urls: server.url.replace("127.0.0.1", "localhost") });

  await expect(client.status()).resolves.toMatchObject({ version: "1.24.5" });
  await client.close();
});

it("a prefix of a proxy is kept, and a trailing /_xtdb does no harm", async () => {
  const server = await scriptedServer(goodReply);

  for (const path of ["/a/b", "/a/b/", "/a/b/_xtdb", "/a/b/_xtdb/"]) {
    const client = connectXtdb({ urls: server.url + path });
    await client.status();
    await client.close();
  }

  expect(new Set(server.requests.map(({ line }) => line))).toEqual(new Set(["GET /a/b/_xtdb/status"]));
});

it.each([301, 302, 303, 307, 308])("a redirect is not followed: %i", async (status) => {
  const elsewhere = await scriptedServer(goodReply);
  const server = await scriptedServer((_, socket) =>
    reply(socket, { status, headers: `location: ${elsewhere.url}/_xtdb/status\r\n` }),
  );
  const client = connectXtdb({ urls: server.url, token: "secret" });

  const errors = [await rejected(client.status()), await rejected(client.submit([]))];

  expect(errors.map(({ code, data }) => [code, data.reason])).toEqual([
    ["xtdb/bad-answer", "redirect"],
    ["xtdb/bad-answer", "redirect"],
  ]);
  expect(elsewhere.connections).toBe(0);
  await client.close();
});
