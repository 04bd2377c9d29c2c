import { CmError, defined } from "@cm/object-model";
import { isLoopback, normalEndpoint } from "./binding/endpoint.ts";
import { limits } from "./limits.ts";
import type { Timers } from "./track/timers.ts";

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Credentials themselves, or a function that is asked for them whenever they run out. */
export type S3CredentialSource = S3Credentials | (() => Promise<S3Credentials & { readonly expiration?: Date }>);

/** How to talk to one place. What is left out is taken from the source's own options. */
export interface S3Access {
  /** For AWS by default what the SDK finds; for other endpoints `us-east-1`, which most servers take for any. */
  readonly region?: string;
  /** The bucket in the path rather than in the host. By default for all endpoints but AWS. */
  readonly forcePathStyle?: boolean;
  /** By default what the SDK finds: environment, profiles, roles. */
  readonly credentials?: S3CredentialSource;
  /** `WHEN_REQUIRED` for servers that stumble over checksums of requests. */
  readonly requestChecksumCalculation?: "WHEN_SUPPORTED" | "WHEN_REQUIRED";
}

export interface S3Endpoint extends S3Access {
  /** An origin such as `https://minio.example:9000`. */
  readonly url: string;
  /** Requests without TLS to another machine, which an attacker on the network can read and change. */
  readonly allowClearText?: boolean;
}

export interface S3SourceOptions extends S3Access {
  /** Endpoints that bindings may name. To any other nothing is ever sent: a binding is data, credentials are not. */
  readonly endpoints?: readonly (string | S3Endpoint)[];
  /** Requests at the same time; `limits.requestsAtOnceMax` by default and at most. */
  readonly requestsAtOnce?: number;
  /** Between two looks of a tracker at one bucket, in ms. Default: `limits.pollMs`. */
  readonly pollMs?: number;
  /** For tests: the timers of trackers. */
  readonly timers?: Timers;
  /** For tests: from 0 to below 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The endpoints that may be talked to, by their origin; AWS under the empty text. */
export type Places = ReadonlyMap<string, S3Access>;

/** @throws CmError `source/invalid-option` */
export function placesOf(options: S3SourceOptions): Places {
  const { endpoints = [] } = options;
  if (endpoints.length > limits.endpointsMax) {
    throw invalid("endpoints", `At most ${limits.endpointsMax} endpoints; hand in fewer.`);
  }
  const places = new Map<string, S3Access>([["", { forcePathStyle: false, ...access(options) }]]);
  endpoints.forEach((given, index) => {
    const endpoint = typeof given === "string" ? { url: given } : given;
    const { origin, settings } = placeOf(endpoint, `endpoints[${index}]`);
    const usual = origin === "" ? { forcePathStyle: false } : { region: "us-east-1", forcePathStyle: true };
    places.set(origin, { ...usual, ...access(options), ...settings });
  });
  return places;
}

function placeOf(endpoint: S3Endpoint, name: string): { readonly origin: string; readonly settings: S3Access } {
  const normal = normalEndpoint(endpoint.url);
  if (normal === undefined) {
    throw invalid(name, `${name} is no origin; give scheme, host and port alone, such as https://minio.example:9000.`);
  }
  if (normal === "aws") return { origin: "", settings: access(endpoint) };
  const { origin } = normal;
  if (origin.startsWith("http:") && !isLoopback(origin) && endpoint.allowClearText !== true) {
    throw invalid(name, `${name} is without TLS and not on this machine; use https, or set allowClearText.`);
  }
  return { origin, settings: access(endpoint) };
}

function access({ region, forcePathStyle, credentials, requestChecksumCalculation }: S3Access): S3Access {
  return {
    ...defined({ region, forcePathStyle, credentials, requestChecksumCalculation }),
  };
}

/** A whole number within bounds, or the default. @throws CmError `source/invalid-option` */
export function numberOption(name: string, value: number | undefined, bounds: NumberBounds): number {
  const { least, most, usual } = bounds;
  const number = value ?? usual;
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw invalid(name, `${name} is a whole number from ${least} to ${most}.`);
}

export interface NumberBounds {
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

function invalid(option: string, message: string): CmError {
  return new CmError("source/invalid-option", message, { option });
}
