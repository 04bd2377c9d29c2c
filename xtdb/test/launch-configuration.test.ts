// @module-tag xtdb
// Verifies: the configuration a node gets means what was asked for, whatever the strings hold.
import { describe, expect, it } from "vitest";
import { configurationText, type NodeSettings } from "../launch/configuration.ts";
import { ednText } from "../launch/edn-text.ts";
import { postgresPool } from "../launch/postgres-pool.ts";

const settings: NodeSettings = {
  storage: { kind: "memory" },
  port: 0,
  host: "127.0.0.1",
  allowRemote: false,
  token: undefined,
  transactionFunctions: false,
  heapMiB: 256,
  blockCacheBytes: 1_000,
};

describe("EDN text", () => {
  it("keeps any string on one line of ASCII", () => {
    const text = ednText('a "b" \\ \n \r \u2028 ä 😀');

    expect(text).toBe('"a \\"b\\" \\\\ \\u000a \\u000d \\u2028 \\u00e4 \\ud83d\\ude00"');
  });

  it("leaves out what is undefined and says nil for null", () => {
    expect(ednText({ ":a": undefined, ":b": null, ":c": [1, true, { symbol: "x/y" }] })).toBe(
      "{:b nil :c [1 true x/y]}",
    );
  });

  it("refuses half a character", () => {
    expect(() => ednText("\ud83d")).toThrow("not well-formed");
  });
});

describe("the configuration of a node", () => {
  it.each([
    { kind: "memory" },
    { kind: "rocksdb", folder: "/data" },
    { kind: "postgres", url: "postgres://h/d", indexFolder: "/index" },
  ] as const)("of kind $kind lets queries call entity-history alone", (storage) => {
    expect(configurationText({ ...settings, storage })).toContain(
      ":xtdb/query-engine {:fn-allow-list [xtdb.api/entity-history]}",
    );
  });

  it("flushes log and documents of a folder before a commit is acknowledged", () => {
    const text = configurationText({ ...settings, storage: { kind: "rocksdb", folder: "/data" } });

    expect(text.match(/:db-dir "file:\/\/\/data\/(tx-log|docs)" :block-cache \S+ :sync\? true/g)).toHaveLength(2);
  });

  it("bounds the cache of documents by the heap", () => {
    const text = configurationText({ ...settings, heapMiB: 1_000 });

    expect(text).toContain(":document-cache {:xtdb/module xtdb.cache/->cache :cache-size 4000}");
  });

  it("writes checkpoints of the index where it is told to", () => {
    const storage = { kind: "rocksdb", folder: "/data", checkpointFolder: "/cp" } as const;

    expect(configurationText({ ...settings, storage })).toContain(':path "file:///cp"');
  });
});

describe("a Postgres address", () => {
  it("is taken apart, its escapes undone", () => {
    expect(postgresPool("postgres://u%40x:p%2Fw@db.example:6432/things?sslmode=require")).toMatchObject({
      ":pool-opts": { ":username": "u@x", ":password": "p/w" },
      ":db-spec": { ":host": "db.example", ":port": 6432, ":dbname": "things", ":sslmode": "require" },
    });
  });

  it.each(["", "db", "mysql://h/d", "postgres://h", "postgres:///d", "postgres://h/d/e", "postgres://h/d?a-b=1"])(
    "is refused when it is %j",
    (address) => {
      expect(() => postgresPool(address)).toThrow(/Postgres address/);
    },
  );
});
