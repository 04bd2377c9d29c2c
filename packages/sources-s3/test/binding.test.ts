// Verifies: SSOT 2.3, 5.3
import { objectIdOf } from "@cm/object-model";
import { createRandom, hostileTexts, randomText } from "@cm/testkit";
import { describe, expect, it } from "vitest";
import { createS3Source } from "../src/index.ts";

const source = createS3Source();
const parse = (fields: object) => source.parseBinding({ type: "s3", bucket: "bucket", key: "key", ...fields });

describe("a binding of an object in S3", () => {
  it("is made of a bucket and a key, or of an address", () => {
    const binding = { type: "s3", bucket: "my.bucket-1", key: "folder/a b.txt" };

    expect(source.bind({ bucket: "my.bucket-1", key: "folder/a b.txt" })).toEqual(binding);
    expect(source.bind("s3://my.bucket-1/folder/a b.txt")).toEqual(binding);
    expect(source.parseBinding(binding)).toEqual(binding);
  });

  it("keeps what follows the bucket to the letter", () => {
    const keys = ["/a", "a//b", "./a", "../a", "a%20b", "a?b#c", "a\nb", "s3://x/y", " "];

    expect(keys.map((key) => source.bind(`s3://bucket/${key}`).key)).toEqual(keys);
  });

  it.each([
    ["HTTPS://Minio.Example:443/", "https://minio.example"],
    ["http://LOCALHOST:9000", "http://localhost:9000"],
    ["https://minio.example.", "https://minio.example"],
    ["https://münchen.example", "https://xn--mnchen-3ya.example"],
    ["http://2130706433:80/", "http://127.0.0.1"],
    ["http://[0:0:0:0:0:0:0:1]:9000", "http://[::1]:9000"],
    ["https://s3.us-gov-west-1.amazonaws.com", "https://s3.us-gov-west-1.amazonaws.com"],
    ["https://s3.cn-north-1.amazonaws.com.cn/", "https://s3.cn-north-1.amazonaws.com.cn"],
  ])("has the endpoint %s in one form", (endpoint, normal) => {
    const binding = parse({ endpoint });

    expect(binding).toEqual({ type: "s3", bucket: "bucket", key: "key", endpoint: normal });
    expect(source.parseBinding(binding)).toEqual(binding);
  });

  it.each([
    "https://s3.amazonaws.com",
    "http://s3.amazonaws.com/",
    "https://S3.eu-west-1.amazonaws.com",
    "https://s3-eu-west-1.amazonaws.com",
    "https://s3.dualstack.eu-central-1.amazonaws.com",
    "https://s3-accelerate.amazonaws.com",
    "https://s3-fips.us-east-1.amazonaws.com",
  ])("has no endpoint for AWS itself: %s", (endpoint) => {
    expect(parse({ endpoint })).toEqual({ type: "s3", bucket: "bucket", key: "key" });
    expect(objectIdOf({ type: "file", source: parse({ endpoint }) })).toBe(
      objectIdOf({ type: "file", source: parse({}) }),
    );
  });

  it.each([
    ["bucket", ["ab", "a".repeat(64), "Bucket", "a_b", "-ab", "ab-", "a..b", "192.168.1.1", "a/b", "..", "ab.", ""]],
    ["bucket", ["arn:aws:s3:us-east-1:123456789012:accesspoint/x", "xn--abc", "abc-s3alias", "abc--x-s3", "abc.mrap"]],
    ["key", ["", "k".repeat(1_025), "ü".repeat(513), "\ud800", 7, null]],
    [
      "endpoint",
      ["", "minio", "ftp://minio.example", "https://user:canary@minio.example", "https://user@minio.example"],
    ],
    ["endpoint", ["https://minio.example/path", "https://minio.example?x", "https://minio.example#x", "https://"]],
    [
      "endpoint",
      ["https://@minio.example", "https://minio.example\\x", "https://minio.example/?", " https://a.example"],
    ],
    ["endpoint", ["https://bucket.s3.amazonaws.com", "https://s3.amazonaws.com:8443", `https://${"a".repeat(600)}`]],
  ])("is refused for a wrong %s, which is named and not repeated", (field, values) => {
    for (const value of values) {
      let said = "accepted";
      try {
        parse({ [field]: value });
      } catch (error) {
        said = JSON.stringify(error) + String(error);
        expect(error).toMatchObject({ code: "model/invalid-source", data: { fields: [field] } });
      }
      expect(said, String(value)).not.toBe("accepted");
      if (typeof value === "string" && value.length > 3) expect(said).not.toContain(`"${value}"`);
      expect(said).not.toContain("canary");
    }
  });

  it.each(["", "bucket/key", "s3://", "s3://bucket", "s3://bucket/", "s3:///key", "S3://bucket/key", "https://b/k"])(
    "is not made of %j",
    (text) => {
      expect(() => source.bind(text)).toThrow(expect.objectContaining({ code: "model/invalid-source" }));
    },
  );

  it("is no binding of another source, nor one with more fields", () => {
    for (const value of [{ type: "git", repo: "r", ref: "r", path: "p" }, { type: "s3", bucket: "bucket" }, null]) {
      expect(() => source.parseBinding(value)).toThrow(expect.objectContaining({ code: "model/invalid-source" }));
    }
    expect(() => parse({ surplus: "x" })).toThrow(expect.objectContaining({ code: "model/invalid-source" }));
  });

  it("is shown as an address, and listed below its endpoint and bucket", () => {
    expect(source.describe(parse({ key: "a/b.txt" }))).toEqual({
      namespace: "bucket",
      path: "a/b.txt",
      display: "s3://bucket/a/b.txt",
    });
    expect(source.describe(parse({ endpoint: "http://localhost:9000/" }))).toEqual({
      namespace: "http://localhost:9000/bucket",
      path: "key",
      display: "s3://bucket/key",
    });
  });

  it("goes through its address and back for any key", () => {
    const random = createRandom(5);
    const keys = [...hostileTexts, ...Array.from({ length: 2_000 }, () => randomText(random))].filter(
      (key) => key !== "" && key.isWellFormed() && Buffer.byteLength(key) <= 1_024,
    );

    for (const key of keys) {
      const binding = source.bind({ bucket: "bucket", key });
      expect(binding.key).toBe(key);
      expect(source.bind(source.describe(binding).display)).toEqual(binding);
      expect(source.parseBinding(JSON.parse(JSON.stringify(binding)))).toEqual(binding);
    }
    expect(keys.length).toBeGreaterThan(1_000);
  });
});
