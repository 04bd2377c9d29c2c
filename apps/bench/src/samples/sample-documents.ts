import { type ObjectDocument, sealDocument } from "@cm/object-model";

const words = ["const", "value", "return", "module", "reads", "writes", "import", "export", "await", "index", "while"];

/** Text like a source file's, different for each number. */
export function sampleText(number: number, chars: number): string {
  const lines: string[] = [];
  let size = 0;
  for (let line = 0; size < chars; line += 1) {
    const word = (offset: number) => words[(number * 31 + line * offset + offset) % words.length];
    const text = `${word(3)} ${word(5)}${(number * 7919 + line) % 9973} = ${word(7)}(${word(2)}, ${number}); // line ${line}`;
    lines.push(text);
    size += text.length + 1;
  }
  return lines.join("\n").slice(0, chars);
}

/** A tool call whose output has so many characters. */
export function sampleToolCall(number: number, chars: number): ObjectDocument {
  return sealDocument(
    { type: "toolcall", id: `call_${number}` },
    {
      content: sampleText(number, chars),
      tool: "bash",
      args: { command: `cat ${number}` },
      status: "ok",
      chat_ref: "chat:x",
    },
  );
}
