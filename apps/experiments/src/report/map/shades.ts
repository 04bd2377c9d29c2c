import type { PartLife } from "@cm/replay";

/** How a part is coloured in a map: by its form, and where it stands in full by who said it. */
export type Shade =
  | "dialogue"
  | "args"
  | "output"
  | "recalled"
  | "sparse"
  | "diff"
  | "same"
  | "pointer"
  | "spans"
  | "replaced"
  | "reference"
  | "gone"
  | "other";

export interface ShadeMeaning {
  readonly shade: Shade;
  readonly name: string;
  readonly meaning: string;
}

/** In the order of the legend: what stands in full, what was shortened, what was folded away. */
export const shades: readonly ShadeMeaning[] = [
  { shade: "output", name: "full", meaning: "output of a tool, every character" },
  { shade: "args", name: "arguments", meaning: "of a tool call, in full" },
  { shade: "dialogue", name: "dialogue", meaning: "what user and agent said, in full" },
  { shade: "recalled", name: "recalled", meaning: "brought back in a result" },
  { shade: "sparse", name: "sparse", meaning: "in full, with every tenth line number" },
  { shade: "diff", name: "diff", meaning: "only what changed since it stood in view" },
  { shade: "spans", name: "spans", meaning: "its first and its last characters" },
  { shade: "replaced", name: "replaced", meaning: "an edit without the text it replaced" },
  { shade: "same", name: "same", meaning: "points to the same text, which is in view" },
  { shade: "pointer", name: "pointer", meaning: "lines of it stand elsewhere in view, and it says where" },
  { shade: "reference", name: "reference", meaning: "folded: a line stands for it" },
  { shade: "gone", name: "gone", meaning: "nothing of it is in the request" },
  { shade: "other", name: "other", meaning: "a form that this report does not know" },
];

const ofForm: ReadonlyMap<string, Shade> = new Map(
  (["recalled", "sparse", "diff", "same", "pointer", "spans", "replaced", "reference", "gone"] as const).map(
    (shade) => [shade, shade],
  ),
);

const ofKind: Readonly<Record<PartLife["kind"], Shade>> = {
  user: "dialogue",
  assistant: "dialogue",
  arguments: "args",
  result: "output",
  recalled: "recalled",
};

export function shadeOf(kind: PartLife["kind"], form: string): Shade {
  return form === "full" ? ofKind[kind] : (ofForm.get(form) ?? "other");
}
