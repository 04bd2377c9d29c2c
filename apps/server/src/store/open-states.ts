import { createFileStateStore, type StateStore } from "@cm/lineage";
import { createS3StateStore } from "@cm/lineage/s3";
import { serverError } from "../errors.ts";

/**
 * Where display messages are kept: a folder, or `s3://bucket/prefix` with the keys and the endpoint of the AWS client's own
 * environment.
 * @throws CmError `server/usage`
 */
export function openStates(place: string, env: NodeJS.ProcessEnv): StateStore {
  if (!place.startsWith("s3://")) return createFileStateStore({ dataDir: place });
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9.-]{3,63})(?:\/(.*))?$/.exec(place) ?? [];
  if (bucket === undefined)
    throw serverError("server/usage", "The place of states is no bucket: write s3://bucket/prefix.");
  const folder = prefix.replace(/\/$/, "");
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL;
  return createS3StateStore({
    bucket,
    ...(folder === "" ? {} : { prefix: folder }),
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
}
