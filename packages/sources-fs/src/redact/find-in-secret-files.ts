import { isPassword } from "./find-in-commands.ts";
import { type SecretFileForm, secretFileForms } from "./secret-file-forms.ts";
import { markStart, type Span } from "./span.ts";
import { startsWithOneOf } from "./spans-at.ts";

const restOfLine = /[^\n]{0,120}\n/y;
const linesMax = 40;
const lineCharsMax = 400;
const skipped = /^[ \t]*(?:#.*)?$/;
type Plain = SecretFileForm & { readonly sign: string };
const plainForms = secretFileForms.filter((form): form is Plain => form.sign !== undefined);
const begins = startsWithOneOf("pshac");

/** Finds passwords in lines below the name of a file that keeps some: what `cat ~/.pgpass` prints. */
export function findInSecretFiles(text: string, names: readonly number[]): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const at of names) {
    if (at < from || !begins(text, at)) continue;
    for (const form of secretFileForms) {
      form.file.lastIndex = at;
      if (!form.file.test(text)) continue;
      restOfLine.lastIndex = form.file.lastIndex;
      if (!restOfLine.test(text)) break;
      const found = linesBelow(text, restOfLine.lastIndex, form);
      spans.push(...found);
      from = found.at(-1)?.end ?? from;
      break;
    }
  }
  return spans.concat(plainForms.flatMap((form) => linesAt(text, form)));
}

/** Lines that are told by what stands in them. */
function linesAt(text: string, form: Plain): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(form.sign); at >= 0; at = text.indexOf(form.sign, at + form.sign.length)) {
    const least = Math.max(0, at - lineCharsMax);
    const span = valueIn(text, form, least + text.slice(least, at).lastIndexOf("\n") + 1);
    if (span !== undefined) spans.push(span);
  }
  return spans;
}

function linesBelow(text: string, start: number, form: SecretFileForm): Span[] {
  const spans: Span[] = [];
  const most = form.isPair ? 1 : linesMax;
  for (let n = 0, at = start; n < most && at < text.length; n++, at = endOfLine(text, at) + 1) {
    if (skipped.test(text.slice(at, endOfLine(text, at)))) continue;
    const span = valueIn(text, form, at);
    if (span === undefined) break;
    spans.push(span);
  }
  return spans;
}

function valueIn(text: string, { line, isPair }: SecretFileForm, at: number): Span | undefined {
  const end = endOfLine(text, at);
  const whole = text.slice(at, isPair ? endOfLine(text, end + 1) : end).replace(/\r$/, "");
  const value = line.exec(whole)?.[1];
  if (value === undefined || value.startsWith(markStart) || !isPassword(value)) return undefined;
  const start = at + whole.lastIndexOf(value);
  return { start, end: start + value.length, rule: "file" };
}

/** Where a line ends; one that is too long is none. */
function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 || end - at > lineCharsMax ? Math.min(text.length, at + lineCharsMax) : end;
}
