import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { defined } from "@cm/object-model";
import { invalid } from "../errors.ts";
import { lineageLimits } from "../limits.ts";
import type { StateStore } from "./contract.ts";
import { type Blobs, stateStoreOver } from "./run-blobs.ts";

export interface S3StateStoreOptions {
  readonly bucket: string;
  /** Keeps several stores in one bucket apart, such as `team/project`. */
  readonly prefix?: string;
  /** Default: AWS. */
  readonly endpoint?: string;
  /** Default: what the SDK finds in the environment and profiles, as for the credentials. */
  readonly region?: string;
  readonly credentials?: S3ClientConfig["credentials"];
  /** The bucket in the path, as most servers beside AWS want it. */
  readonly forcePathStyle?: boolean;
}

type Sdk = typeof import("@aws-sdk/client-s3");

/** States as objects of a bucket, under the same keys as files have. One PUT is whole or not there. */
export function createS3StateStore(options: S3StateStoreOptions): StateStore {
  if (options.bucket === "") throw invalid("bucket", "The bucket has no name; name one.");
  return stateStoreOver(new Objects(options), options.prefix);
}

class Objects implements Blobs {
  readonly #options: S3StateStoreOptions;
  #opened: Promise<{ readonly sdk: Sdk; readonly client: S3Client }> | undefined;

  constructor(options: S3StateStoreOptions) {
    this.#options = options;
  }

  async put(key: string, text: string): Promise<void> {
    const { sdk, client } = await this.#open();
    const body = { Body: Buffer.from(text), ContentType: "application/json" };
    await client.send(new sdk.PutObjectCommand({ Bucket: this.#options.bucket, Key: key, ...body }));
  }

  async get(key: string, bytesMax: number): Promise<string | undefined> {
    const { sdk, client } = await this.#open();
    try {
      const answer = await client.send(new sdk.GetObjectCommand({ Bucket: this.#options.bucket, Key: key }));
      if ((answer.ContentLength ?? 0) > bytesMax) {
        // A body that is not read would keep its connection.
        (answer.Body as { destroy?: () => void } | undefined)?.destroy?.();
        throw new RangeError("The object is larger than any that is written.");
      }
      return await answer.Body?.transformToString("utf-8");
    } catch (error) {
      // A missing bucket is also 404, and is no missing state.
      if (error instanceof sdk.NoSuchKey) return undefined;
      throw error;
    }
  }

  async remove(keys: readonly string[]): Promise<void> {
    const { sdk, client } = await this.#open();
    for (const key of keys) await client.send(new sdk.DeleteObjectCommand({ Bucket: this.#options.bucket, Key: key }));
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    opened?.client.destroy();
  }

  /** The SDK takes a tenth of a second to load, so it is loaded when it is needed. */
  #open(): Promise<{ readonly sdk: Sdk; readonly client: S3Client }> {
    this.#opened ??= this.#connect();
    return this.#opened;
  }

  async #connect(): Promise<{ readonly sdk: Sdk; readonly client: S3Client }> {
    const sdk = await import("@aws-sdk/client-s3");
    const { endpoint, region, credentials, forcePathStyle } = this.#options;
    const requestHandler = { requestTimeout: lineageLimits.s3RequestMs, throwOnRequestTimeout: true };
    const config = { ...defined({ endpoint, region, credentials, forcePathStyle }), requestHandler };
    return { sdk, client: new sdk.S3Client(config) };
  }
}
