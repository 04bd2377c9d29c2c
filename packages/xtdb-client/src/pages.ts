import type { CallOptions } from "./call.ts";
import type { EdnOutput } from "./edn/values.ts";
import { clientLimits } from "./limits.ts";
import type { At } from "./options.ts";
import type { Request, Requester } from "./requester.ts";
import { badAnswer } from "./server-errors.ts";

export interface Page {
  /** The elements that came whole. */
  readonly values: readonly EdnOutput[];
  /** Whether they are all. */
  readonly whole: boolean;
}

/** Reads long EDN lists a part at a time. XTDB has no paging, so a long answer is broken off and asked for again. */
export interface Pages {
  /** The initial size of a page. */
  readonly bytes: number;
  read(endpoint: string, parameters: string, at: At, bytes: number, options: CallOptions): Promise<Page>;
  /** The next larger page; an error where none is allowed. */
  more(endpoint: string, bytes: number): number;
}

export function pagesOf(requester: Requester, waitsFor: (at: At) => Pick<Request, "waits">): Pages {
  const bytesMax = requester.answerBytesMax;
  return {
    bytes: Math.min(clientLimits.pageBytes, bytesMax),
    read: (endpoint, parameters, at, bytes, options) =>
      requester.askPage({ endpoint, parameters, format: "edn", pageBytes: bytes, ...waitsFor(at) }, options),
    more(endpoint, bytes) {
      if (bytes >= bytesMax) throw badAnswer(endpoint, "too large");
      return Math.min(bytes * 4, bytesMax);
    },
  };
}
