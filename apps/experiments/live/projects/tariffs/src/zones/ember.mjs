import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "ember";

/** What zone ember charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 600;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 44;
  }
  if (kilograms >= 29) {
    // Two people have to carry it.
    cents += 240;
  }
  if (order.fragile) {
    cents += 130;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 19);
  }
  return Math.min(cents, 7250);
}

/** What zone ember charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 850;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 55;
  }
  if (kilograms >= 47) {
    // Two people have to carry it.
    cents += 540;
  }
  if (order.fragile) {
    cents += 150;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 7);
  }
  return Math.min(cents, 7800);
}

/** What zone ember charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 540;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 17;
  }
  if (kilograms >= 33) {
    // Two people have to carry it.
    cents += 760;
  }
  if (order.fragile) {
    cents += 125;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 5010);
}

/** What zone ember charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 470;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 39;
  }
  if (kilograms >= 50) {
    // Two people have to carry it.
    cents += 490;
  }
  if (order.fragile) {
    cents += 85;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 16);
  }
  return Math.min(cents, 3990);
}

/** What zone ember charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 860;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 60;
  }
  if (kilograms >= 21) {
    // Two people have to carry it.
    cents += 240;
  }
  if (order.fragile) {
    cents += 20;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 17);
  }
  return Math.min(cents, 3770);
}

/** What zone ember charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 670;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 88;
  }
  if (kilograms >= 27) {
    // Two people have to carry it.
    cents += 600;
  }
  if (order.fragile) {
    cents += 45;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 17);
  }
  return Math.min(cents, 4770);
}

/** What zone ember charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 240;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 14;
  }
  if (kilograms >= 23) {
    // Two people have to carry it.
    cents += 290;
  }
  if (order.fragile) {
    cents += 50;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 10);
  }
  return Math.min(cents, 5710);
}

/** What zone ember charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 350;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 82;
  }
  if (kilograms >= 55) {
    // Two people have to carry it.
    cents += 740;
  }
  if (order.fragile) {
    cents += 80;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 3);
  }
  return Math.min(cents, 3530);
}

/** What zone ember charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 250;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 37;
  }
  if (kilograms >= 36) {
    // Two people have to carry it.
    cents += 740;
  }
  if (order.fragile) {
    cents += 130;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 7);
  }
  return Math.min(cents, 6640);
}

/** What zone ember charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 550;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 84;
  }
  if (kilograms >= 44) {
    // Two people have to carry it.
    cents += 700;
  }
  if (order.fragile) {
    cents += 145;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 18);
  }
  return Math.min(cents, 9320);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
