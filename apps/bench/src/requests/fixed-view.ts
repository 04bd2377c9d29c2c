// A process of its own, so that its heap is that of one session: `node fixed-view.js`.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { defaultPrices } from "@cm/context-log";
import { layouts } from "@cm/render";
import { longRequests } from "./long-requests.ts";

/** The output of the process, as one line of JSON. Megabytes of heap after a collection. */
export interface FixedViewFigures {
  readonly sessionMb: number;
  /** Characters of the whole log. */
  readonly logChars: number;
  /** After so many renders of one view. */
  readonly after: readonly { readonly renders: number; readonly heapMb: number }[];
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const { view } = await longRequests();
const sessionMb = heapMb();
const after: { renders: number; heapMb: number }[] = [];
for (let renders = 1; renders <= 10_000; renders += 1) {
  layouts.log.renderer.render(view, layouts.log.policy.decide(view, defaultPrices));
  if (renders === 1_000 || renders === 10_000) after.push({ renders, heapMb: heapMb() });
}
const figures: FixedViewFigures = { sessionMb, logChars: view.ledger.plainChars, after };
process.stdout.write(`${JSON.stringify(figures)}\n`);

function heapMb(): number {
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}
