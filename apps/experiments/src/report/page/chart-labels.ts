/** A thing in a chart that labels must not cover, as a box around a point. */
export interface Obstacle {
  readonly x: number;
  readonly y: number;
}

export interface Label {
  /** The beginning or end of the text, and its base line. */
  readonly x: number;
  readonly y: number;
  readonly anchor: "start" | "end";
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface LabelArea {
  /** Characters are about this wide. */
  readonly columnPx: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

const linePx = 14;
const markPx = 5;
const gapPx = 9;
/** How far from its point a label may go before it covers something rather than getting lost. */
const stepsMax = 12;

/** Places for labels beside their points: to the right, else to the left, else higher or lower, where nothing stands. */
export function placeLabels(
  points: readonly (Obstacle & { readonly columns: number })[],
  marks: readonly Obstacle[],
  area: LabelArea,
): readonly Label[] {
  const taken: Box[] = marks.map(({ x, y }) => ({
    ...{ left: x - markPx, right: x + markPx, top: y - markPx, bottom: y + markPx },
  }));
  return points.map(({ x, y, columns }) => {
    const width = columns * area.columnPx;
    const options = candidates({ x, y }).filter(
      ({ x, y, anchor }) =>
        y - linePx >= area.top && (anchor === "start" ? x + width <= area.right : x - width >= area.left),
    );
    const free = options.find((label) => !taken.some((box) => overlap(box, boxOf(label, width))));
    const label = free ?? { x: x + gapPx, y: y + 4, anchor: "start" as const };
    taken.push(boxOf(label, width));
    return label;
  });
}

function candidates({ x, y }: Obstacle): readonly Label[] {
  return Array.from({ length: stepsMax }, (_, step) => step * 4).flatMap((away) =>
    (away === 0 ? [0] : [-away, away]).flatMap((shift): Label[] => [
      { x: x + gapPx, y: y + 4 + shift, anchor: "start" },
      { x: x - gapPx, y: y + 4 + shift, anchor: "end" },
    ]),
  );
}

function boxOf({ x, y, anchor }: Label, width: number): Box {
  const left = anchor === "start" ? x : x - width;
  return { left, right: left + width, top: y - linePx + 3, bottom: y + 3 };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
