import { join } from "node:path";
import { extensionPath, type PiRun, type PiVersion, runPi } from "@cm/scripted-models/real-pi";
import { it } from "vitest";
import { versionsNow } from "../../support/with-pi.ts";

/** How our extension and another one come into Pi: what is given with `-e` is loaded before what is installed. */
export const loadOrders = ["other, ours by -e", "ours, other by -e", "ours installed", "other installed"] as const;
export type LoadOrder = (typeof loadOrders)[number];

const isCampaign = process.env.CM_CAMPAIGN === "1";

/** Before the other and behind it; all orders in both versions in a campaign. */
export const ordersNow: readonly (readonly [PiVersion, readonly LoadOrder[]])[] = versionsNow.map(
  (version) => [version, isCampaign ? loadOrders : ["ours, other by -e", "ours installed"]] as const,
);

/** A test in each order in a campaign, else in `now` alone: another test of the file is in the other one. */
export function inOrder(order: LoadOrder, now: LoadOrder, title: string, test: () => Promise<void>): void {
  if (isCampaign || order === now) it(title, test);
}

/** A run with both extensions in that order. `other`: the source of its file. */
export async function runInOrder(run: PiRun, order: LoadOrder, other: string): Promise<PiRun> {
  await run.home.write({ "../other/other.ts": other });
  const [theirs, ours] = [join(run.home.folder, "other/other.ts"), extensionPath()];
  switch (order) {
    case "other, ours by -e":
      return { ...run, extensions: [theirs, ours] };
    case "ours, other by -e":
      return { ...run, extensions: [ours, theirs] };
    case "ours installed":
      return installed(run, ours, theirs);
    case "other installed":
      return installed(run, theirs, ours);
  }
}

async function installed(run: PiRun, path: string, byOption: string): Promise<PiRun> {
  const { code, stderr } = await runPi(run, "install", path);
  if (code !== 0) throw new Error(`Pi did not install ${path}: ${stderr}`);
  return { ...run, extensions: [byOption], installed: true };
}
