import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "fjord";

/** What zone fjord charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 540;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 51;
  }
  if (kilograms >= 39) {
    // Two people have to carry it.
    cents += 350;
  }
  if (order.fragile) {
    cents += 105;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 21);
  }
  return Math.min(cents, 3950);
}

/** What zone fjord charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 870;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 38;
  }
  if (kilograms >= 49) {
    // Two people have to carry it.
    cents += 760;
  }
  if (order.fragile) {
    cents += 100;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 16);
  }
  return Math.min(cents, 5850);
}

/** What zone fjord charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 380;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 38;
  }
  if (kilograms >= 55) {
    // Two people have to carry it.
    cents += 620;
  }
  if (order.fragile) {
    cents += 90;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 7);
  }
  return Math.min(cents, 5430);
}

/** What zone fjord charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 820;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 79;
  }
  if (kilograms >= 26) {
    // Two people have to carry it.
    cents += 770;
  }
  if (order.fragile) {
    cents += 65;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 4);
  }
  return Math.min(cents, 9640);
}

/** What zone fjord charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 700;
  if (kilograms > 3) {
    // Each kilogram that was begun counts.
    cents += Math.floor(kilograms - 3) * 69;
  }
  if (kilograms >= 54) {
    // Two people have to carry it.
    cents += 510;
  }
  if (order.fragile) {
    cents += 140;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 5610);
}

/** What zone fjord charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 600;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 42;
  }
  if (kilograms >= 23) {
    // Two people have to carry it.
    cents += 360;
  }
  if (order.fragile) {
    cents += 40;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 21);
  }
  return Math.min(cents, 3920);
}

/** What zone fjord charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 860;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 35;
  }
  if (kilograms >= 21) {
    // Two people have to carry it.
    cents += 500;
  }
  if (order.fragile) {
    cents += 80;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 4060);
}

/** What zone fjord charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 720;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 43;
  }
  if (kilograms >= 34) {
    // Two people have to carry it.
    cents += 490;
  }
  if (order.fragile) {
    cents += 110;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 12);
  }
  return Math.min(cents, 7920);
}

/** What zone fjord charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 340;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 92;
  }
  if (kilograms >= 28) {
    // Two people have to carry it.
    cents += 370;
  }
  if (order.fragile) {
    cents += 105;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 7);
  }
  return Math.min(cents, 3190);
}

/** What zone fjord charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 840;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 61;
  }
  if (kilograms >= 32) {
    // Two people have to carry it.
    cents += 530;
  }
  if (order.fragile) {
    cents += 110;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 6);
  }
  return Math.min(cents, 9760);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
