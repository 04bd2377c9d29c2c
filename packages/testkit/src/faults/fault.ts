/**
 * What can happen to one request between a client and its server.
 *
 * | fault | what the client meets | the target gets the request |
 * | --- | --- | --- |
 * | `refused` | no server listens, from this request on until the next plan | no |
 * | `reset` | the connection is reset (RST) | no |
 * | `never` | no answer; the connection stays open | yes |
 * | `late` | no answer; the connection stays open | later, when the client has given up |
 * | `cut-before-reply` | the connection ends without a byte of the reply: outcome unknown | yes |
 * | `cut-in-reply` | the connection ends in the middle of the reply | yes |
 * | `truncated` | a well-ended reply with the first half of its body | yes |
 * | `empty` | status 200, the right content type, no body | yes |
 * | `garbage` | status 200, the right content type, a body of arbitrary bytes | yes |
 * | `not-http` | arbitrary bytes where the status line should be | yes |
 * | `slow-drip` | the head of the reply, then its body byte by byte, never the last one | yes |
 * | `wrong-type` | status 200 and a page of HTML | yes |
 * | `error-500` | status 500 with a short JSON body | yes |
 * | `redirect` | status 307 to `/redirected` on the proxy, where a request that follows it is recorded | no |
 */
export const faults = [
  "refused",
  "reset",
  "never",
  "late",
  "cut-before-reply",
  "cut-in-reply",
  "truncated",
  "empty",
  "garbage",
  "not-http",
  "slow-drip",
  "wrong-type",
  "redirect",
  "error-500",
] as const;

export type Fault = (typeof faults)[number];

/** Which requests meet a fault. Of several rules for one request the first one counts. */
export interface FaultRule {
  readonly fault: Fault;
  /** The first request it meets, counted from 1 among those of this rule's method and path. Default: 1. */
  readonly nth?: number;
  /**
   * How many requests it meets, one after the other. Default: 1; `Infinity` for all that follow. `refused` has no end.
   */
  readonly times?: number;
  /** Only requests with this method. */
  readonly method?: string;
  /** Only requests with this path, query left out. */
  readonly path?: string | RegExp;
  /** `false` keeps the request from the target where the table says that it gets it, if the fault needs no reply. */
  readonly forward?: boolean;
  /**
   * For `late`: how many further requests must have had their answers before the target gets this one. Default: 0. With
   * the next plan it gets it at any rate.
   */
  readonly heldFor?: number;
}

/** One request as the proxy saw it. */
export interface SeenRequest {
  /** Its place in the round, from 1. */
  readonly n: number;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** What follows the question mark; empty when there is none. */
  readonly query: string;
  readonly fault: Fault | undefined;
  /** True once the target was sent the whole request. */
  readonly forwarded: boolean;
  /** The status that the target answered, whatever the client got; undefined before and without an answer. */
  readonly targetStatus: number | undefined;
}

/** These are made of the target's own reply, so they cannot do without it. */
export const needsReply: ReadonlySet<Fault> = new Set(["cut-in-reply", "truncated", "slow-drip"]);

/** The target does not hear of these requests: a redirect names another server for the work. */
export const keepsRequest: ReadonlySet<Fault> = new Set(["refused", "reset", "redirect"]);
