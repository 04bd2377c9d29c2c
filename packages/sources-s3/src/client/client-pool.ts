import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { limits } from "../limits.ts";
import type { Places, S3Access } from "../options.ts";
import { boundMarkup } from "./bound-markup.ts";

type Sdk = typeof import("@aws-sdk/client-s3");

export interface OpenClient {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

const silent = { debug() {}, info() {}, warn() {}, error() {}, trace() {} };

/**
 * One client for each place, made when it is first needed. The SDK takes a tenth of a second to load, which a session
 * without an S3 object should not pay for.
 */
export class ClientPool {
  readonly #places: Places;
  readonly #clients = new Map<string, Promise<OpenClient>>();
  #closed = false;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Undefined for an endpoint that configuration does not name. */
  open(endpoint: string | undefined): Promise<OpenClient> | undefined {
    const origin = endpoint ?? "";
    const access = this.#places.get(origin);
    if (access === undefined || this.#closed) return undefined;
    let open = this.#clients.get(origin);
    if (open === undefined) {
      open = makeClient(origin, access);
      this.#clients.set(origin, open);
    }
    return open;
  }

  /** Ends the connections that are idle; those at work end with their requests. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const open of await Promise.allSettled(this.#clients.values())) {
      if (open.status === "fulfilled") open.value.client.destroy();
    }
    this.#clients.clear();
  }
}

async function makeClient(origin: string, access: S3Access): Promise<OpenClient> {
  const sdk = await import("@aws-sdk/client-s3");
  const client = new sdk.S3Client(configuration(origin, access));
  boundMarkup(client);
  return { sdk, client };
}

function configuration(origin: string, access: S3Access): S3ClientConfig {
  const agent = { keepAlive: true, maxSockets: limits.requestsAtOnceMax };
  return {
    ...access,
    ...(origin === "" ? { followRegionRedirects: true } : { endpoint: origin }),
    // AWS_ENDPOINT_URL and the like: a binding without an endpoint means AWS for every client.
    ignoreConfiguredEndpointUrls: true,
    // Sessions of their own and other hosts, for kinds of buckets that bindings do not have.
    disableS3ExpressSessionAuth: true,
    disableMultiregionAccessPoints: true,
    responseChecksumValidation: "WHEN_SUPPORTED",
    // The tries are ours: the SDK's pauses between two of them do not end with the deadline.
    maxAttempts: 1,
    requestHandler: {
      connectionTimeout: limits.connectMs,
      requestTimeout: limits.answerMs,
      socketTimeout: limits.answerMs,
      throwOnRequestTimeout: true,
      httpAgent: agent,
      httpsAgent: agent,
      // It would write to the console that many requests are waiting.
      logger: silent,
    },
  };
}
