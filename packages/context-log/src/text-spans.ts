import type { TextSpan } from "./part-form.ts";

/**
 * Where pieces of a text stand in it, given in the order of the text, so that it is searched once. A form says what stays of a text by place alone: the
 * step that records it holds no content, and an erased text leaves nothing behind (SSOT 2.8). A piece that the text does
 * not have is left out.
 */
export function spansOf(text: string, pieces: readonly string[]): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  let from = 0;
  for (const piece of pieces) {
    const ahead = text.indexOf(piece, from);
    const start = ahead < 0 ? text.indexOf(piece) : ahead;
    if (start < 0 || piece === "") continue;
    spans.push([start, start + piece.length]);
    from = Math.max(from, start);
  }
  return spans;
}

/** The pieces at these places; a place outside the text has none. */
export function piecesAt(text: string, spans: readonly TextSpan[]): readonly string[] {
  return spans.flatMap(([start, end]) => {
    const piece = text.slice(Math.max(0, start), Math.max(0, end));
    return piece === "" ? [] : [piece];
  });
}
