import type { S3Binding } from "@cm/object-model";
import { type FakeServer, fakeServer } from "./fake-server.ts";

export interface FakeBucket {
  readonly server: FakeServer;
  /** ETag by key. */
  readonly objects: Map<string, string>;
  /** While it is true, every answer is 503. */
  busy: boolean;
  /** The bucket that a listing says it is of. */
  listedName: string;
  /** Entries of one page of a listing. */
  pageEntries: number;
  binding(key: string): S3Binding;
}

/** A bucket of ETags on a server that counts what it is asked. */
export async function fakeBucket(): Promise<FakeBucket> {
  const objects = new Map<string, string>();
  const server = await fakeServer(({ url = "", headers }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const etag = objects.get(decodeURIComponent(pathname.slice("/bucket/".length)));
    if (bucket.busy) response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
    else if (searchParams.has("list-type")) response.end(listing(bucket, searchParams));
    else if (etag === undefined) response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    else if (headers["if-none-match"] === `"${etag}"`) response.writeHead(304).end();
    else response.writeHead(200, { etag: `"${etag}"`, "content-length": 4 }).end("text");
  });
  const binding = (key: string): S3Binding => ({ type: "s3", bucket: "bucket", key, endpoint: server.url });
  const bucket: FakeBucket = { server, objects, busy: false, listedName: "bucket", pageEntries: 1_000, binding };
  return bucket;
}

function listing({ objects, pageEntries, listedName }: FakeBucket, search: URLSearchParams): string {
  const prefix = search.get("prefix") ?? "";
  const from = search.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > from).sort();
  const page = keys.slice(0, pageEntries);
  const entries = page.map((key) => {
    const name = encodeURIComponent(key).replaceAll("%20", "+");
    return `<Contents><Key>${name}</Key><ETag>"${objects.get(key)}"</ETag><Size>4</Size></Contents>`;
  });
  const more = keys.length > page.length;
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  const facts = `<Name>${listedName}</Name><EncodingType>url</EncodingType><IsTruncated>${more}</IsTruncated>${next}`;
  return `<ListBucketResult>${facts}${entries.join("")}</ListBucketResult>`;
}
