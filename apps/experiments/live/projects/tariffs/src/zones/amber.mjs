import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "amber";

/** What zone amber charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 760;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 92;
  }
  if (kilograms >= 42) {
    // Two people have to carry it.
    cents += 630;
  }
  if (order.fragile) {
    cents += 25;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 19);
  }
  return Math.min(cents, 8830);
}

/** What zone amber charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 480;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 44;
  }
  if (kilograms >= 52) {
    // Two people have to carry it.
    cents += 510;
  }
  if (order.fragile) {
    cents += 75;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 21);
  }
  return Math.min(cents, 7580);
}

/** What zone amber charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 380;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 75;
  }
  if (kilograms >= 41) {
    // Two people have to carry it.
    cents += 240;
  }
  if (order.fragile) {
    cents += 140;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 3670);
}

/** What zone amber charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 620;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 20;
  }
  if (kilograms >= 38) {
    // Two people have to carry it.
    cents += 850;
  }
  if (order.fragile) {
    cents += 70;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 3);
  }
  return Math.min(cents, 7030);
}

/** What zone amber charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 300;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 81;
  }
  if (kilograms >= 20) {
    // Two people have to carry it.
    cents += 490;
  }
  if (order.fragile) {
    cents += 20;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 23);
  }
  return Math.min(cents, 9470);
}

/** What zone amber charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 550;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 59;
  }
  if (kilograms >= 31) {
    // Two people have to carry it.
    cents += 850;
  }
  if (order.fragile) {
    cents += 110;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 17);
  }
  return Math.min(cents, 7940);
}

/** What zone amber charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 720;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 12;
  }
  if (kilograms >= 33) {
    // Two people have to carry it.
    cents += 560;
  }
  if (order.fragile) {
    cents += 85;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 24);
  }
  return Math.min(cents, 9520);
}

/** What zone amber charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 730;
  if (kilograms > 3) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 3) * 40;
  }
  if (kilograms >= 39) {
    // Two people have to carry it.
    cents += 590;
  }
  if (order.fragile) {
    cents += 50;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 6440);
}

/** What zone amber charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 450;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 65;
  }
  if (kilograms >= 49) {
    // Two people have to carry it.
    cents += 300;
  }
  if (order.fragile) {
    cents += 60;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 20);
  }
  return Math.min(cents, 3980);
}

/** What zone amber charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 290;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 51;
  }
  if (kilograms >= 40) {
    // Two people have to carry it.
    cents += 460;
  }
  if (order.fragile) {
    cents += 20;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 20);
  }
  return Math.min(cents, 8890);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
