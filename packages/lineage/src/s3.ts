// An entry of its own: programs without states in a bucket need no AWS client.
export { createS3StateStore, type S3StateStoreOptions } from "./state/s3-state-store.ts";
