import type { TextSpan } from "@cm/object-model";

/**
 * Where pieces of a text stand in it, each where it does first. A form says what stays of a text by place alone: the
 * step that records it holds no content, and an erased text leaves nothing behind (SSOT 2.8). A piece that the text does
 * not have is left out.
 */
export function spansOf(text: string, pieces: readonly string[]): readonly TextSpan[] {
  return pieces.flatMap((piece): readonly TextSpan[] => {
    const start = text.indexOf(piece);
    return start < 0 || piece === "" ? [] : [[start, start + piece.length]];
  });
}

/** The pieces at these places; a place outside the text has none. */
export function piecesAt(text: string, spans: readonly TextSpan[]): readonly string[] {
  return spans.flatMap(([start, end]) => {
    const piece = text.slice(Math.max(0, start), Math.max(0, end));
    return piece === "" ? [] : [piece];
  });
}
