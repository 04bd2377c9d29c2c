import { pipeline, Readable, Transform } from "node:stream";
import type { S3Client } from "@aws-sdk/client-s3";
import { limits } from "../limits.ts";
import { AnswerError } from "./answer-error.ts";

interface Answer {
  readonly statusCode: number;
  body: unknown;
}

/**
 * Bounds every body that the SDK itself reads to its end: listings and errors. It would hold whatever a server sends.
 * The bytes of an object are read by us, bounded by the caller.
 */
export function boundMarkup(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const output = await next(args);
        const answer = output.response as Answer;
        const isObject = commandName === "GetObjectCommand" && answer.statusCode < 300;
        if (!isObject && commandName !== "HeadObjectCommand" && answer.body instanceof Readable) {
          answer.body = pipeline(answer.body, bounded(), () => {});
        }
        return output;
      },
    // Low: nearer to the network than what reads the bodies.
    { name: "boundMarkup", step: "deserialize", priority: "low", override: true },
  );
}

function bounded(): Transform {
  let bytes = 0;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length;
      if (bytes > limits.markupBytesMax) done(new AnswerError("answer not understood"));
      else done(null, piece);
    },
  });
}
