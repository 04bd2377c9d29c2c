import type { FileTouch, SetCommand } from "@cm/context-log";
import { type CallChain, type CmError, isSessionId } from "@cm/object-model";
import { sessionError } from "../errors.ts";
import { limits } from "../limits.ts";

// What callers hand in, who may write no types. Each check throws `session/invalid-input`, which names the argument and
// what it must be, and shows nothing of it.

const actions: ReadonlySet<unknown> = new Set<SetCommand["action"]>([
  "activate",
  "deactivate",
  "pin",
  "unpin",
  "show",
  "hide",
]);

/** @param names the options that there are: `redactor` in place of `redact` would let every secret through. */
export function checkOpening(options: unknown, names: readonly string[]): void {
  must(isObject(options), "options", "an object with a store and a layout");
  const { store, layout, systemPrompt, window } = options;
  must(has(store, "getMany", "commit"), "store", 'an object store, such as that of "@cm/store-sqlite"');
  const isLayout = isObject(layout) && has(layout.policy, "decide") && has(layout.renderer, "render");
  must(isLayout, "layout", 'a policy and a renderer, such as `layouts.log` of "@cm/render"');
  const areSources = checkList(options.sources, "sources").every((source) => has(source, "describe", "observe"));
  must(areSources, "sources", 'sources, such as that of "@cm/sources-fs"');
  for (const name of ["redact", "rendererFor", "now"])
    must(options[name] === undefined || typeof options[name] === "function", name, "a function");
  for (const name of ["headChars", "leaseMs", "keyframeEverySteps"])
    must(isAmount(options[name]), name, "a whole number from 0 on");
  must(options.session === undefined || typeof options.session === "string", "session", "the id of a session");
  must(
    options.prices === undefined || arePrices(options.prices),
    "prices",
    "an object with the numbers read and write",
  );
  must(options.owner === undefined || typeof options.owner === "string", "owner", "a text that names the client");
  checkSystemPrompt(systemPrompt);
  checkWindow(window);
  const unknown = Object.keys(options).find((name) => options[name] !== undefined && !names.includes(name));
  if (unknown !== undefined) throw unknownOption(unknown, names);
}

export function checkAssembly(options: unknown): void {
  must(isObject(options), "options", "an object");
  checkSystemPrompt(options.systemPrompt);
  checkWindow(options.window);
  for (const name of ["foldToBytes", "dialogueToBytes"])
    must(isAmount(options[name]), name, "a whole number from 0 on");
}

export function checkMessages(messages: unknown): void {
  must(Array.isArray(messages), "messages", "a list, also of one message");
  for (const message of checkList(messages, "messages")) {
    must(isObject(message) && (message.role === "user" || message.role === "tool"), "role", '"user" or "tool"');
    if (message.role === "tool") checkResult(message);
    else must(typeof message.text === "string", "text", "the text of the message");
    checkAttachments(message);
  }
}

export function checkRecord(record: unknown): void {
  must(isObject(record) && isObject(record.answer), "answer", "the message of the assistant");
  const { answer, results, usage } = record;
  must(answer.role === "assistant", "answer.role", '"assistant"');
  must(typeof answer.text === "string", "answer.text", "a text, empty where the model said nothing");
  for (const name of ["model", "provider", "api", "stopReason"])
    must(answer[name] === undefined || typeof answer[name] === "string", `answer.${name}`, "a name");
  for (const call of checkList(answer.calls, "answer.calls")) {
    const isCall = isObject(call) && typeof call.callId === "string" && typeof call.tool === "string";
    must(isCall && isObject(call.args), "answer.calls", "calls with a callId, a tool and args");
  }
  for (const result of checkList(results, "results")) {
    must(isObject(result) && result.role === "tool", "results", 'messages with the role "tool"');
    checkResult(result);
    checkAttachments(result);
  }
  const counts = ["input", "output", "cacheRead", "cacheWrite"];
  const isUsage = usage === undefined || (isObject(usage) && counts.every((name) => typeof usage[name] === "number"));
  must(isUsage, "usage", `an object with the numbers ${counts.join(", ")}`);
}

export function checkCommand(command: unknown): void {
  must(isObject(command) && actions.has(command.action), "action", `one of ${[...actions].join(", ")}`);
  checkName(command.id);
}

export function checkErasure(named: unknown, reason: unknown): void {
  const isNames = Array.isArray(named) && named.every((name: unknown) => typeof name === "string");
  must(isNames, "ids", "a list of ids, aliases or paths, also of one");
  must(typeof reason === "string", "reason", "a text that says why");
}

export function checkName(name: unknown): void {
  must(typeof name === "string", "id", "an object's id, alias, path or call id");
}

export function checkQuery(query: unknown): void {
  must(isObject(query), "query", "an object, empty to list everything");
}

export function checkAmendments(amendments: unknown): void {
  must(Array.isArray(amendments), "amendments", "a list, also of one");
  for (const amendment of checkList(amendments, "amendments")) {
    must(isObject(amendment) && Number.isSafeInteger(amendment.at), "at", "a message's place in the log");
    const { text, args } = amendment;
    must(text === undefined || typeof text === "string", "text", "a text");
    must(args === undefined || (isObject(args) && Object.values(args).every(isObject)), "args", "arguments by call");
  }
}

function checkResult({ callId, text, files, shows, idChain }: Given): void {
  must(typeof callId === "string", "callId", "the id of the call that the result answers");
  must(typeof text === "string" || text === null, "text", "the output, or null where none is known");
  const areTouches = checkList(files, "files").every(isTouch);
  must(areTouches, "files", 'a list of files, each with the binding that its source gave and "as", what was done');
  const isNames = checkList(shows, "shows").every((name) => typeof name === "string");
  must(isNames, "shows", "a list of ids or aliases");
  const isChain = idChain === undefined || callChain.every((name) => isObject(idChain) && isId(idChain[name]));
  must(isChain, "idChain", "an object with workspace_id, session_id, task_id and step_id");
}

const callChain = ["workspace_id", "session_id", "task_id", "step_id"] as const satisfies readonly (keyof CallChain)[];

const isId = (id: unknown): boolean => typeof id === "string" && isSessionId(id);

const touches: ReadonlySet<unknown> = new Set<FileTouch["as"]>(["read", "edited", "discovered"]);

const isTouch = (file: unknown): boolean =>
  isObject(file) && touches.has(file.as) && isObject(file.binding) && typeof file.binding.type === "string";

function checkAttachments({ attachments }: Given): void {
  const areAttachments = checkList(attachments, "attachments").every(
    (one) => isObject(one) && typeof one.mime === "string" && ArrayBuffer.isView(one.data),
  );
  must(areAttachments, "attachments", "a list of objects with a mime type and their bytes as `data`");
}

function checkSystemPrompt(systemPrompt: unknown): void {
  must(systemPrompt === undefined || typeof systemPrompt === "string", "systemPrompt", "a text");
}

const arePrices = (prices: unknown): boolean =>
  isObject(prices) && [prices.read, prices.write].every((price) => Number.isFinite(price) && Number(price) >= 0);

const isAmount = (amount: unknown) => amount === undefined || (Number.isSafeInteger(amount) && Number(amount) >= 0);

function checkWindow(window: unknown): void {
  if (window === undefined) return;
  const isWindow = isObject(window) && [window.tokensMax, window.answerTokens, window.bytesMax].every(isAmount);
  must(isWindow, "window", "an object whose bounds are whole numbers from 0 on");
}

function checkList(value: unknown, name: string): readonly unknown[] {
  must(value === undefined || Array.isArray(value), name, "a list");
  return (value ?? []) as readonly unknown[];
}

type Given = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const has = (value: unknown, ...methods: readonly string[]): boolean =>
  isObject(value) && methods.every((method) => typeof value[method] === "function");

function must(holds: boolean, argument: string, what: string): asserts holds {
  if (!holds) throw sessionError("session/invalid-input", `The argument ${argument} must be ${what}.`);
}

/** Of a long name the beginning is said. */
function unknownOption(name: string, names: readonly string[]): CmError {
  const said = JSON.stringify(name.slice(0, limits.unknownShownCharsMax));
  return sessionError("session/invalid-input", `There is no option ${said}. There are ${names.join(", ")}.`);
}

export function checkLimit(limit: keyof typeof limits, actual: number): void {
  const bound = limits[limit];
  if (actual <= bound) return;
  throw sessionError("session/invalid-input", `What was handed in passes ${limit} (${bound}); hand it in in parts.`, {
    limit,
    actual,
    bound,
  });
}
