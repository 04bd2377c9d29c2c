import { defaultPrices, type Prices, type ProviderPrices, providerPrices } from "@cm/context-log";
import type { ObjectStore } from "@cm/object-model";
import { type PastRequest, requestsOf } from "@cm/session/past";
import { counted, isoText } from "@cm/terminal-text";
import { Command, Option } from "commander";
import type { CommandRun, Task } from "../command-line.ts";
import { limits } from "../limits.ts";
import { findSession } from "../objects/find-session.ts";
import { fieldLines } from "../output/fields.ts";
import { followRequests, requestLine } from "../requests/follow-requests.ts";
import { tokensIn, totalFields } from "../requests/request-totals.ts";
import { countText, happenedText, percentText, requestValue, stepText } from "../requests/request-words.ts";
import { requestsBetween, type StepRange, stepOnPath } from "../requests/step-range.ts";

interface Options {
  readonly from?: string;
  readonly to?: string;
  readonly prices?: string;
  readonly follow?: true;
}

export function requestsCommand(run: CommandRun): Command {
  const command = new Command("requests")
    .description("what a session's requests sent, cost and folded, newest first")
    .argument("<session>", "the session's id, or the start of it")
    .option("--from <number>", "the first step that is listed; steps count from 0")
    .option("--to <number>", "the last step that is listed")
    .addOption(
      new Option("--follow", "print the newest request, and then each one when it is made").conflicts(["from", "to"]),
    )
    .addOption(new Option("--prices <provider>", "whose prices the bills are at").choices(Object.keys(providerPrices)));
  return command.action((text: string, options: Options) =>
    run.run(command, async (task) => {
      const store = await task.open();
      const session = await findSession(store, text);
      const range = { from: stepOnPath(options.from, session), to: stepOnPath(options.to, session) };
      const prices = pricesOf(options.prices);
      if (options.follow === true) {
        for await (const request of followRequests(store, { session, prices })) {
          if (task.output.json) await task.output.value(requestValue(request));
          else await task.output.line(requestLine(request, session));
        }
      }
      const requests = requestsBetween(requestsOf(store, session, { order: "newest", prices }), range);
      if (task.output.json) for await (const request of requests) await task.output.value(requestValue(request));
      else if (!(await showRequests(task, requests, { session, prices })))
        task.output.note(await nothingListed(store, session, range));
      return undefined;
    }),
  );
}

function pricesOf(name: string | undefined): Pick<Prices, "read" | "write"> {
  const known: Readonly<Record<string, ProviderPrices>> = providerPrices;
  return (name === undefined ? undefined : known[name]) ?? defaultPrices;
}

/** Why no request was listed, and which there are. */
async function nothingListed(store: ObjectStore, session: string, { from, to }: StepRange): Promise<string> {
  for await (const { step } of requestsOf(store, session, { order: "newest" })) {
    const end = to === undefined ? " on" : ` to step ${stepText(to, session)}`;
    const range = from === undefined ? "" : ` from step ${stepText(from, session)}${end}`;
    return `Session ${session} has no request${range}; its newest is of step ${stepText(step, session)}.`;
  }
  return `Session ${session} has made no request yet.`;
}

/** @returns false where there was none */
async function showRequests(
  { output, world }: Task,
  requests: AsyncIterable<PastRequest>,
  { session, prices }: { readonly session: string; readonly prices: Pick<Prices, "read" | "write"> },
): Promise<boolean> {
  const listed: PastRequest[] = [];
  for await (const request of requests) {
    listed.push(request);
    output.progress(counted(listed.length, "request"));
  }
  if (listed.length === 0) return false;
  for (const line of fieldLines([["session", session], ...totalFields(listed, prices)])) await output.line(line);
  await output.line("");
  const brief = output.isTerminal && (world.stdout.columns ?? 0) < limits.wideColumnsMin;
  const made = listed.flatMap((request) => (request.erased === "step" ? [] : [request]));
  const layout: RowLayout = {
    ...{ session, brief },
    isOneDay: new Set(made.map(({ atMs }) => isoText(atMs).slice(0, 10))).size < 2,
    // The head has their sum.
    hasTokens: !brief && made.some(({ usage }) => usage !== undefined && tokensIn(usage) > 0),
  };
  await output.table(
    [
      { title: "step", align: "right" },
      { title: "made at" },
      { title: "chars", align: "right" },
      { title: "kept", align: "right" },
      { title: "billed", align: "right" },
      { title: "plain", align: "right" },
      ...(layout.hasTokens ? [{ title: "tokens", align: "right" as const }] : []),
      { title: "what happened", shrinks: true },
    ],
    listed.map((request) => requestRow(request, layout)),
  );
  return true;
}

interface RowLayout {
  readonly session: string;
  readonly brief: boolean;
  /** Then the head says which, and rows say the time alone. */
  readonly isOneDay: boolean;
  readonly hasTokens: boolean;
}

function requestRow(request: PastRequest, { session, brief, isOneDay, hasTokens }: RowLayout): readonly string[] {
  const step = stepText(request.step, session);
  const happened = happenedText(request, brief);
  if (request.erased === "step") return [step, "", "", "", "", "", ...(hasTokens ? [""] : []), happened];
  const { atMs, chars, keptChars, billed, plainBilled, usage } = request;
  const tokens = usage === undefined ? "" : countText(tokensIn(usage));
  return [
    step,
    isOneDay ? isoText(atMs).slice(11, 19) : isoText(atMs).slice(5, 16).replace("T", " "),
    countText(chars),
    percentText(keptChars, chars),
    countText(billed),
    countText(plainBilled),
    ...(hasTokens ? [tokens] : []),
    happened,
  ];
}
