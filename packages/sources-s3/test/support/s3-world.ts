import { randomUUID } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import type { Observation, S3Binding } from "@cm/object-model";
import { inject } from "vitest";
import { requirement } from "../../../../tools/requirement.ts";
import { serverCredentials } from "../../../../tools/s3-server/credentials.ts";
import { createS3Source, type S3Source, type S3SourceOptions } from "../../src/index.ts";

/** Where the server of this run answers; empty where none can be started. */
export const serverUrl: string = inject("s3Url");
export const withServer = requirement("Java and Maven", () => serverUrl !== "");

export const bounds = { contentBytesMax: 1_048_576, deadlineMs: 60_000 } as const;

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
  /** Uploaded in parts, so that no ETag and no checksum of the whole exists. */
  putInParts(key: string, parts: readonly string[]): Promise<string>;
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
      const { ETag = "" } = await outside.send(
        new PutObjectCommand({ Bucket: name, Key: key, Body: Buffer.from(body) }),
      );
      return ETag.replaceAll('"', "");
    },
    putInParts: (key, parts) => putInParts({ Bucket: name, Key: key }, parts),
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

async function putInParts(place: { Bucket: string; Key: string }, parts: readonly string[]): Promise<string> {
  const { UploadId } = await outside.send(new CreateMultipartUploadCommand(place));
  const Parts = [];
  for (const [index, Body] of parts.entries()) {
    const PartNumber = index + 1;
    const { ETag } = await outside.send(new UploadPartCommand({ ...place, UploadId, PartNumber, Body }));
    Parts.push({ ETag, PartNumber });
  }
  const whole = new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } });
  const { ETag = "" } = await outside.send(whole);
  return ETag.replaceAll('"', "");
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
