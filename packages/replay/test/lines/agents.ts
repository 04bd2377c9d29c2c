import type { JsonObject } from "@cm/object-model";

/** Which lines of a file a read asks for. */
export interface Asked {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly isRanged: boolean;
}

export interface Said {
  readonly tool: string;
  readonly args: JsonObject;
  readonly text: string;
  readonly failed?: boolean;
}

/** The tools of an agent as its sources have them: names, arguments and what they answer. */
export interface Agent {
  read(asked: Asked, lines: readonly string[]): Said;
  missing(path: string): Said;
  edit(path: string, old: string, made: string): Said;
  write(path: string, content: string): Said;
  folder(path: string, names: readonly string[]): Said;
  command(command: string, text: string): Said;
}

const numbered = (lines: readonly string[], from: number, before: (line: number) => string): string =>
  lines.map((line, place) => `${before(from + place)}${line}`).join("\n");
const padded = (sign: string) => (line: number) => `${String(line).padStart(6)}${sign}`;
const shown = (lines: readonly string[], { from, to }: Asked): readonly string[] => lines.slice(from - 1, to);
const snippet = (path: string): string =>
  `The file ${path} has been edited. Here's the result of running \`cat -n\` on a snippet of ${path}:`;

const shell = (command: string, text: string): Said => ({ tool: "bash", args: { command }, text });
const listing = (command: string, names: readonly string[]): Said => shell(command, `${names.join("\n")}\n`);

const claude: Agent = {
  read: (asked, lines) => ({
    tool: "Read",
    args: {
      file_path: asked.path,
      ...(asked.isRanged ? { offset: asked.from, limit: asked.to - asked.from + 1 } : {}),
    },
    text: `${numbered(shown(lines, asked), asked.from, padded("→"))}\n\n<system-reminder>\nBe careful.\n</system-reminder>\n`,
  }),
  missing: (path) => ({
    ...{ tool: "Read", args: { file_path: path, offset: 900 } },
    text: "<system-reminder>Warning: the file exists but is shorter than the provided offset (900).</system-reminder>",
  }),
  edit: (path, old, made) => ({
    ...{ tool: "Edit", args: { file_path: path, old_string: old, new_string: made } },
    text: `${snippet(path)}\n${numbered(made.split("\n"), 1, padded("→"))}`,
  }),
  write: (path, content) => ({
    ...{ tool: "Write", args: { file_path: path, content } },
    text: `File created successfully at: ${path}`,
  }),
  folder: (path, names) => listing(`ls ${path}`, names),
  command: shell,
};

const pi: Agent = {
  read(asked, lines) {
    const more = lines.length - asked.to;
    const note = more > 0 ? `\n\n[${more} more lines in file. Use offset=${asked.to + 1} to continue.]` : "";
    const range = asked.isRanged ? { offset: asked.from, limit: asked.to - asked.from + 1 } : {};
    return { tool: "read", args: { path: asked.path, ...range }, text: `${shown(lines, asked).join("\n")}${note}` };
  },
  missing: (path) => ({ tool: "read", args: { path }, text: `ENOENT: no such file, access '${path}'`, failed: true }),
  edit: (path, oldText, newText) => ({
    ...{ tool: "edit", args: { path, oldText, newText }, text: `Successfully replaced text in ${path}.` },
  }),
  write: (path, content) => ({
    ...{ tool: "write", args: { path, content }, text: `Successfully wrote ${content.length} bytes to ${path}` },
  }),
  folder: (path, names) => listing(`ls ${path}`, names),
  command: shell,
};

const codexSays = (text: string, code = 0): string =>
  `Chunk ID: ${text.length}\nWall time: 0.0${text.length} seconds\nProcess exited with code ${code}\nOutput:\n${text}`;
const codexRuns = (cmd: string, text: string, failed = false): Said => ({
  ...{ tool: "exec_command", args: { cmd, workdir: "/w" }, text: codexSays(text, failed ? 1 : 0), failed },
});
const patched = (input: string): Said => ({ tool: "apply_patch", args: { input }, text: codexSays("Success.\n") });
const marked = (sign: string, text: string): string => text.replace(/^/gm, sign);

const codex: Agent = {
  read: (asked, lines) =>
    asked.isRanged
      ? codexRuns(`sed -n '${asked.from},${asked.to}p' ${asked.path}`, `${shown(lines, asked).join("\n")}\n`)
      : codexRuns(`nl -ba ${asked.path}`, `${numbered(lines, 1, padded("\t"))}\n`),
  missing: (path) => codexRuns(`cat ${path}`, `cat: ${path}: No such file or directory`, true),
  edit: (path, old, made) =>
    patched(`*** Begin Patch\n*** Update File: ${path}\n@@\n${marked("-", old)}\n${marked("+", made)}\n*** End Patch`),
  write: (path, content) => patched(`*** Begin Patch\n*** Add File: ${path}\n${marked("+", content)}\n*** End Patch`),
  folder: (path, names) => codexRuns(`ls ${path}`, `${names.join("\n")}\n`),
  command: codexRuns,
};

/** @param isOld its first versions number otherwise, and count an offset from 0 */
const opencode = (isOld: boolean): Agent => ({
  read(asked, lines) {
    const range = { offset: asked.from - (isOld ? 1 : 0), limit: asked.to - asked.from + 1 };
    const before = (line: number): string => (isOld ? `${String(line).padStart(5, "0")}| ` : `${line}: `);
    const opening = isOld ? "<file>" : `<path>${asked.path}</path>\n<type>file</type>\n<content>`;
    const isEnd = asked.to >= lines.length;
    const closing = isEnd
      ? `(End of file - total ${lines.length} lines)`
      : "(File has more lines. Use 'offset' to read on)";
    return {
      ...{ tool: "read", args: { filePath: asked.path, ...(asked.isRanged ? range : {}) } },
      text: `${opening}\n${numbered(shown(lines, asked), asked.from, before)}\n\n${closing}\n</${isOld ? "file" : "content"}>`,
    };
  },
  missing: (path) => ({ tool: "read", args: { filePath: path }, text: `File not found: ${path}`, failed: true }),
  edit: (path, oldString, newString) => ({
    ...{ tool: "edit", args: { filePath: path, oldString, newString }, text: "Edit applied successfully." },
  }),
  write: (path, content) => ({ tool: "write", args: { filePath: path, content }, text: "Wrote file successfully." }),
  folder: (path, names) => ({
    ...{ tool: "read", args: { filePath: path } },
    text: `<path>${path}</path>\n<type>directory</type>\n<entries>\n${names.join("\n")}\n</entries>`,
  }),
  command: shell,
});

const edits = (command: string, path: string, args: JsonObject, text: string): Said => ({
  ...{ tool: "str_replace_editor", args: { command, path, ...args }, text },
});

const openhands: Agent = {
  read: (asked, lines) =>
    edits(
      ...(["view", asked.path, asked.isRanged ? { view_range: [asked.from, asked.to] } : {}] as const),
      `Here's the result of running \`cat -n\` on ${asked.path}:\n${numbered(shown(lines, asked), asked.from, padded("\t"))}\n`,
    ),
  missing: (path) => edits("view", path, {}, `ERROR:\nInvalid \`path\` parameter: ${path}. It does not exist.`),
  edit: (path, old_str, new_str) =>
    edits(
      ...(["str_replace", path, { old_str, new_str }] as const),
      `${snippet(path)}\n${numbered(new_str.split("\n"), 1, padded("\t"))}\nReview the changes and make sure they are right.`,
    ),
  write: (path, file_text) => edits("create", path, { file_text }, `File created successfully at: ${path}`),
  folder: (path, names) =>
    edits("view", path, {}, `Here's the files and directories up to 2 levels deep in ${path}:\n${names.join("\n")}\n`),
  command: (command, text) => ({ tool: "execute_bash", args: { command }, text }),
};

const sweAgent: Agent = {
  ...openhands,
  read: (asked, lines) => ({
    ...{ tool: "open", args: { path: asked.path, ...(asked.isRanged ? { line_number: asked.from } : {}) } },
    text: [
      `[File: ${asked.path} (${lines.length} lines total)]`,
      ...(asked.from > 1 ? [`(${asked.from - 1} more lines above)`] : []),
      numbered(shown(lines, asked), asked.from, (line) => `${line}:`),
      ...(asked.to < lines.length ? [`(${lines.length - asked.to} more lines below)`] : []),
    ].join("\n"),
  }),
  missing: (path) => ({ tool: "open", args: { path }, text: `File ${path} not found` }),
  command: shell,
};

export const agents: Readonly<Record<string, Agent>> = {
  ...{ pi, claude, codex, openhands, sweAgent },
  ...{ opencode: opencode(false), opencodeBefore: opencode(true) },
};
