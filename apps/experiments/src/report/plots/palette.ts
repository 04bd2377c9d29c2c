import type { Resident } from "@cm/replay";

/** How a policy is drawn, everywhere in the page. Colours are variables of the style sheet, which knows light and dark. */
export interface Ink {
  readonly colour: string;
  readonly dashed: boolean;
}

/** Colours for policies in the style sheet: Okabe and Ito's, which colour-blind people can tell apart. */
const policyColours = 6;

/** The recorded session itself: what all others are compared with. */
export const plainPolicy = "plain";
export const plainInk: Ink = { colour: "var(--plain)", dashed: true };

export type Inks = (policy: string) => Ink;

/** One colour per policy, in the order given; from the seventh on colours return, dashed. */
export function inksFor(policies: readonly string[]): Inks {
  const coloured = policies.filter((policy) => policy !== plainPolicy);
  const inks = new Map(coloured.map((policy, at) => [policy, inkAt(at)]));
  return (policy) => inks.get(policy) ?? plainInk;
}

function inkAt(at: number): Ink {
  return { colour: `var(--policy-${(at % policyColours) + 1})`, dashed: at >= policyColours };
}

export interface ResidentClass {
  readonly key: keyof Resident;
  readonly colour: string;
  readonly meaning: string;
}

/** From the bottom of the stack to its top. */
export const residentClasses: readonly ResidentClass[] = [
  { key: "dialogue", colour: "var(--dialogue)", meaning: "what user and agent said" },
  { key: "args", colour: "var(--args)", meaning: "arguments of tool calls" },
  { key: "output", colour: "var(--output)", meaning: "output of tools, in full" },
  { key: "references", colour: "var(--references)", meaning: "lines that stand for text no longer in view" },
  { key: "pool", colour: "var(--pool)", meaning: "lines that list known objects" },
  { key: "active", colour: "var(--active)", meaning: "text of objects, shown on its own" },
];
