import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "grove";

/** What zone grove charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 350;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 75;
  }
  if (kilograms >= 56) {
    // Two people have to carry it.
    cents += 700;
  }
  if (order.fragile) {
    cents += 80;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 22);
  }
  return Math.min(cents, 8390);
}

/** What zone grove charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 710;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 79;
  }
  if (kilograms >= 20) {
    // Two people have to carry it.
    cents += 320;
  }
  if (order.fragile) {
    cents += 95;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 14);
  }
  return Math.min(cents, 9790);
}

/** What zone grove charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 630;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 27;
  }
  if (kilograms >= 27) {
    // Two people have to carry it.
    cents += 330;
  }
  if (order.fragile) {
    cents += 45;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 4660);
}

/** What zone grove charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 260;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 67;
  }
  if (kilograms >= 36) {
    // Two people have to carry it.
    cents += 590;
  }
  if (order.fragile) {
    cents += 45;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 13);
  }
  return Math.min(cents, 6760);
}

/** What zone grove charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 760;
  if (kilograms > 3) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 3) * 26;
  }
  if (kilograms >= 55) {
    // Two people have to carry it.
    cents += 800;
  }
  if (order.fragile) {
    cents += 90;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 20);
  }
  return Math.min(cents, 6550);
}

/** What zone grove charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 620;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 49;
  }
  if (kilograms >= 36) {
    // Two people have to carry it.
    cents += 820;
  }
  if (order.fragile) {
    cents += 130;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 14);
  }
  return Math.min(cents, 7680);
}

/** What zone grove charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 890;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 33;
  }
  if (kilograms >= 52) {
    // Two people have to carry it.
    cents += 720;
  }
  if (order.fragile) {
    cents += 75;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 16);
  }
  return Math.min(cents, 4420);
}

/** What zone grove charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 740;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 69;
  }
  if (kilograms >= 41) {
    // Two people have to carry it.
    cents += 420;
  }
  if (order.fragile) {
    cents += 115;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 9670);
}

/** What zone grove charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 400;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 38;
  }
  if (kilograms >= 30) {
    // Two people have to carry it.
    cents += 880;
  }
  if (order.fragile) {
    cents += 20;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 4400);
}

/** What zone grove charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 790;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 41;
  }
  if (kilograms >= 51) {
    // Two people have to carry it.
    cents += 290;
  }
  if (order.fragile) {
    cents += 30;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 20);
  }
  return Math.min(cents, 9060);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
