import { randomUUID } from "node:crypto";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { Observation, S3Binding } from "@cm/object-model";
import { createS3Source, type S3Source, type S3SourceOptions } from "@cm/sources-s3";
import { inject } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { serverCredentials } from "../server/start-server.ts";

/** Where the server of this run answers; empty where none can be started. */
export const serverUrl: string = inject("s3Url");
export const withServer = requirement("Java and Maven", () => serverUrl !== "");

export const bounds = { contentBytesMax: 1_048_576, deadlineMs: 10_000 } as const;

/** The outside world, by the SDK's own hand. */
export const outside = new S3Client({
  endpoint: serverUrl === "" ? "http://127.0.0.1:9" : serverUrl,
  region: "us-east-1",
  forcePathStyle: true,
  credentials: serverCredentials,
});

export interface Bucket {
  readonly name: string;
  binding(key: string, endpoint?: string): S3Binding;
  put(key: string, body: string | Uint8Array): Promise<string>;
  remove(key: string, versionId?: string): Promise<void>;
  /** With all that is in it, and all its versions. */
  drop(): Promise<void>;
  create(): Promise<void>;
}

export async function freshBucket({ versioned = false } = {}): Promise<Bucket> {
  const name = `cm-${randomUUID().slice(0, 18)}`;
  const bucket: Bucket = {
    name,
    binding: (key, endpoint = serverUrl) => ({ type: "s3", bucket: name, key, endpoint }),
    async put(key, body) {
      const { ETag = "" } = await outside.send(new PutObjectCommand({ Bucket: name, Key: key, Body: body }));
      return ETag.replaceAll('"', "");
    },
    async remove(key, versionId) {
      const version = versionId === undefined ? {} : { VersionId: versionId };
      await outside.send(new DeleteObjectCommand({ Bucket: name, Key: key, ...version }));
    },
    async drop() {
      const { Versions = [], DeleteMarkers = [] } = await outside.send(new ListObjectVersionsCommand({ Bucket: name }));
      for (const { Key = "", VersionId } of [...Versions, ...DeleteMarkers]) await bucket.remove(Key, VersionId);
      await outside.send(new DeleteBucketCommand({ Bucket: name }));
    },
    async create() {
      await outside.send(new CreateBucketCommand({ Bucket: name }));
    },
  };
  await bucket.create();
  if (versioned) {
    const VersioningConfiguration = { Status: "Enabled" } as const;
    await outside.send(new PutBucketVersioningCommand({ Bucket: name, VersioningConfiguration }));
  }
  return bucket;
}

const open: S3Source[] = [];

/** A source on the server, or on what stands in front of it; `closeSources` closes it. */
export function sourceOn(endpoint: string = serverUrl, options: S3SourceOptions = {}): S3Source {
  const source = createS3Source({ endpoints: [endpoint], credentials: serverCredentials, ...options });
  open.push(source);
  return source;
}

export async function closeSources(): Promise<void> {
  await Promise.all(open.splice(0).map((source) => source.close()));
}

/** What a source says about one object. */
export async function observed(
  source: S3Source,
  request: Parameters<S3Source["observe"]>[0][number],
  limits: Partial<typeof bounds> | { contentBytesMax?: number; deadlineMs?: number } = {},
): Promise<Observation> {
  const [observation] = await source.observe([request], { ...bounds, ...limits });
  if (observation === undefined) throw new Error("The source gave no answer.");
  return observation;
}
