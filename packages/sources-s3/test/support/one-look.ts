import type { ServerResponse } from "node:http";
import type { Observation, ObserveRequest, S3Binding } from "@cm/object-model";
import { createS3Source } from "../../src/index.ts";
import { type FakeServer, fakeServer } from "./fake-server.ts";

export const credentials = { accessKeyId: "test", secretAccessKey: "testsecret" };
export const bounds = { contentBytesMax: 1_000, deadlineMs: 60_000 };

interface Asked {
  readonly request?: Partial<ObserveRequest<S3Binding>>;
  readonly key?: string;
  readonly deadlineMs?: number;
}

/** One look at a server that answers so. */
export async function lookAt(
  answer: (response: ServerResponse, url: string) => void,
  { request = {}, key = "a", deadlineMs = bounds.deadlineMs }: Asked = {},
): Promise<{ readonly observation: Observation | undefined; readonly server: FakeServer }> {
  const server = await fakeServer(({ url = "" }, response) => answer(response, url));
  const source = createS3Source({ endpoints: [server.url], credentials });
  try {
    const binding: S3Binding = { type: "s3", bucket: "bucket", key, endpoint: server.url };
    const [observation] = await source.observe([{ binding, ...request }], { ...bounds, deadlineMs });
    return { observation, server };
  } finally {
    await source.close();
    await server.close();
  }
}

export const xml = (code: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>x</Message></Error>`;
export const listing =
  "<ListBucketResult><Name>bucket</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>";
