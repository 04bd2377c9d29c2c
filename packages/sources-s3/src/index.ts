export type { S3Place } from "./binding/s3-binding.ts";
export type { S3Reason } from "./client/reason.ts";
export { limits } from "./limits.ts";
export type { S3Access, S3CredentialSource, S3Credentials, S3Endpoint, S3SourceOptions } from "./options.ts";
export { createS3Source, type S3Source } from "./s3-source.ts";
export type { Timers } from "./track/timers.ts";
