import { counted, resealed, summed } from "../support/lines.ts";
import { type Attack, first, type Material, withDocument } from "./attack.ts";

const strangeSessions = [
  "../../etc/passwd",
  "/etc/passwd",
  "a/b",
  "..",
  "C:\\x",
  "a\u0000b",
  "s:1",
  "__proto__",
  " s",
  "s\n",
  "a".repeat(129),
  "",
  "ſ",
  "%2e%2e",
  "s@s",
  "*",
];

/** Ids that look like paths, like other objects, or like nothing. */
export function nameAttacks({ lines }: Material): readonly Attack[] {
  return [
    ...strangeSessions.flatMap((name): Attack[] => [
      {
        title: `a session called ${JSON.stringify(name).slice(0, 30)}`,
        code: "bundle/invalid-line",
        bytes: () => counted([{ ...lines()[0], session: name }, ...lines().slice(1)]),
      },
      {
        title: `a step of ${JSON.stringify(name).slice(0, 30)}`,
        code: "bundle/invalid-document",
        bytes: () =>
          counted(withDocument(lines(), "step", (step) => resealed(step, { session_ref: `session:${name}` }))),
      },
      {
        title: `a tool call of ${JSON.stringify(name).slice(0, 30)}`,
        code: "bundle/invalid-document",
        bytes: () => counted(withDocument(lines(), "toolcall", (call) => resealed(call, { chat_ref: `chat:${name}` }))),
      },
      {
        title: `a system prompt of ${JSON.stringify(name).slice(0, 30)}`,
        code: "bundle/invalid-document",
        bytes: () =>
          counted(
            withDocument(lines(), "system_prompt", (prompt) => resealed(prompt, { session_ref: `session:${name}` })),
          ),
      },
    ]),
    ...["chat:s", "session:s", "step:s:0", "lease:s", "system_prompt:s", "f".repeat(64), "a".repeat(600), ""].map(
      (id): Attack => ({
        title: `a tool call with the id ${id.slice(0, 20)}`,
        code: "bundle/invalid-document",
        bytes: () => counted(withDocument(lines(), "toolcall", (call) => ({ ...call, "xt/id": id }))),
      }),
    ),
    ...["toolcall", "attachment", "file", "system_prompt", "step", "keyframe", "chat", "session"].map(
      (type): Attack => ({
        title: `a ${type} under the id of another object`,
        code: "bundle/invalid-document",
        bytes: () =>
          counted(withDocument(lines(), type, (document) => ({ ...document, "xt/id": `${document["xt/id"]}0` }))),
      }),
    ),
    ...["filesystem", "git", "s3", "constructor"].map(
      (type): Attack => ({
        title: `a file with a source of type ${type} that is none`,
        code: "bundle/invalid-document",
        bytes: () => counted(withDocument(lines(), "file", (file) => ({ ...file, source: { type, path: "../../x" } }))),
      }),
    ),
    {
      title: "a header that stands where a step was",
      code: "bundle/misplaced",
      bytes: () => {
        const changed = lines();
        changed[first(changed, "step")] = { ...changed[0] };
        return summed(changed);
      },
    },
  ];
}
