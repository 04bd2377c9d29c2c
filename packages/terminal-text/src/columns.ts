import stringWidth from "string-width";

const ellipsis = "…";
const graphemes = new Intl.Segmenter();
/** One column each, so that most cells are measured without segmenting. */
const onlyAscii = /^[ -~]*$/;

/** Terminal columns of visible text: East Asian scripts and pictures take two, what combines with a letter none. */
export function columnsOf(visible: string): number {
  return onlyAscii.test(visible) ? visible.length : stringWidth(visible);
}

/** Visible text of at most `columnsMax` terminal columns, with `…` in the middle where something is left out. */
export function shortened(visible: string, columnsMax: number): string {
  if (columnsOf(visible) <= columnsMax) return visible;
  const characters = [...graphemes.segment(visible)].map(({ segment }) => segment);
  const room = Math.max(0, columnsMax - 1);
  const end = fitting(characters.toReversed(), Math.floor(room / 2)).reverse();
  const start = fitting(characters, room - columnsOf(end.join("")));
  return [...start, ellipsis, ...end].join("");
}

function fitting(characters: readonly string[], columnsMax: number): string[] {
  let columns = 0;
  const beyond = characters.findIndex((character) => {
    columns += columnsOf(character);
    return columns > columnsMax;
  });
  return characters.slice(0, beyond < 0 ? characters.length : beyond);
}
