import { Readable } from "node:stream";
import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { AnswerError } from "../client/answer-error.ts";

/**
 * The whole body as it is, or `too_large` where it is longer than the bound; then hardly more than the bound was read.
 * @throws AnswerError for a body that is not as long as the answer said
 */
export async function readBody(
  { Body, ContentLength }: GetObjectCommandOutput,
  bytesMax: number,
): Promise<Buffer | "too_large"> {
  if (!(Body instanceof Readable)) throw new AnswerError("answer not understood");
  if (ContentLength !== undefined && ContentLength > bytesMax) return "too_large";
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of Body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > bytesMax) return "too_large";
    pieces.push(piece);
  }
  if (ContentLength !== undefined && bytes !== ContentLength) throw new AnswerError("answer cut off");
  return Buffer.concat(pieces, bytes);
}
