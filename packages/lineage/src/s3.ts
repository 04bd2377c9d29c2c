// An entry of its own: whoever keeps no states in a bucket needs no AWS client.
export { createS3StateStore, type S3StateStoreOptions } from "./state/s3-state-store.ts";
