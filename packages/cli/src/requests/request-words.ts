import type { StepAddress } from "@cm/object-model";
import { causeText } from "@cm/render";
import type { PastRequest, RequestSummary } from "@cm/session/past";
import { counted } from "@cm/terminal-text";

/** `1,204`: the same in every locale. */
export function countText(count: number): string {
  return `${Math.round(count)}`.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A part of a whole: `58 %`, and `100 %` of no less than all of it. Empty where there is no whole. */
export function percentText(part: number, whole: number): string {
  if (whole <= 0) return "";
  const percent = Math.round((100 * part) / whole);
  return `${part < whole ? Math.min(percent, 99) : percent} %`;
}

/** How people name a step of a session's path: those before a fork are another session's. */
export function stepText({ session, n }: StepAddress, of: string): string {
  return session === of ? `${n}` : `${session}@${n}`;
}

/** The events of a request. @param brief without reasons, for a narrow terminal */
export function happenedText(request: PastRequest, brief: boolean): string {
  if (request.erased === "step") return "erased";
  return [
    ...(request.erased === undefined ? [] : ["text erased"]),
    ...(request.resumed ? ["after a pause"] : []),
    ...(request.cache === "cold" ? ["cache cold"] : []),
    ...foldWords(request, brief),
    ...(request.recalls.length > 0 ? [`${request.recalls.length} brought back`] : []),
    ...(request.omitted > 0 ? [`${counted(request.omitted, "message")} left out`] : []),
    ...(request.releases.length > 0 ? [`${counted(request.releases.length, "pin")} lost`] : []),
  ].join(", ");
}

function foldWords({ fold }: RequestSummary, brief: boolean): readonly string[] {
  if (fold === undefined) return [];
  const cause = causeText(fold.cause);
  if (brief) return [`${fold.parts} folded`];
  return [`${counted(fold.parts, "text")} folded${cause === "" ? "" : ` (${cause})`}`];
}

/** One request for people, as names with values. */
export function requestFields(request: PastRequest): readonly (readonly [string, string])[] {
  if (request.erased === "step") return [];
  const { chars, keptChars, billed, plainBilled } = request;
  const kept = keptChars > 0 ? `, ${percentText(keptChars, chars)} of them as in the request before` : "";
  return [
    ["request", `${countText(chars)} characters${kept}`],
    ["billed", `${countText(billed)} for input; the plain conversation's would be ${countText(plainBilled)}`],
    ["with it", happenedText(request, false)],
  ];
}

/** One request as programs get it; what is not known is null. */
export function requestValue(request: PastRequest) {
  const { n, step } = request;
  if (request.erased === "step") return { request: n, step, erased: "step" as const };
  const { usage, fold } = request;
  return {
    request: n,
    step,
    erased: request.erased ?? null,
    turn: request.turn,
    at: new Date(request.atMs).toISOString(),
    recordedAt: new Date(request.recordedAtMs).toISOString(),
    model: request.model ?? null,
    layout: request.layout,
    chars: request.chars,
    keptChars: request.keptChars,
    servedChars: request.servedChars,
    cache: request.cache,
    plainChars: request.plainChars,
    billed: request.billed,
    plainBilled: request.plainBilled,
    usage: usage ?? null,
    fold: fold === undefined ? null : { cut: fold.cut ?? null, cause: fold.cause ?? null, parts: fold.parts },
    reasons: request.reasons,
    recalls: request.recalls,
    releases: request.releases,
    omitted: request.omitted,
    calls: request.calls,
    amended: request.amended,
    redactions: request.redactions,
    resumed: request.resumed,
  };
}
