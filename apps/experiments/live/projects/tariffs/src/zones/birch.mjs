import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "birch";

/** What zone birch charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 650;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 11;
  }
  if (kilograms >= 59) {
    // Two people have to carry it.
    cents += 380;
  }
  if (order.fragile) {
    cents += 50;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 16);
  }
  return Math.min(cents, 6190);
}

/** What zone birch charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 890;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 25;
  }
  if (kilograms >= 35) {
    // Two people have to carry it.
    cents += 630;
  }
  if (order.fragile) {
    cents += 65;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 4);
  }
  return Math.min(cents, 5970);
}

/** What zone birch charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 520;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 29;
  }
  if (kilograms >= 34) {
    // Two people have to carry it.
    cents += 580;
  }
  if (order.fragile) {
    cents += 55;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 13);
  }
  return Math.min(cents, 7840);
}

/** What zone birch charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 430;
  if (kilograms > 3) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 3) * 75;
  }
  if (kilograms >= 55) {
    // Two people have to carry it.
    cents += 520;
  }
  if (order.fragile) {
    cents += 120;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 17);
  }
  return Math.min(cents, 5410);
}

/** What zone birch charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 470;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 75;
  }
  if (kilograms >= 43) {
    // Two people have to carry it.
    cents += 730;
  }
  if (order.fragile) {
    cents += 35;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 11);
  }
  return Math.min(cents, 6630);
}

/** What zone birch charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 320;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 78;
  }
  if (kilograms >= 25) {
    // Two people have to carry it.
    cents += 490;
  }
  if (order.fragile) {
    cents += 150;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 3930);
}

/** What zone birch charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 830;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 78;
  }
  if (kilograms >= 60) {
    // Two people have to carry it.
    cents += 570;
  }
  if (order.fragile) {
    cents += 70;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 6140);
}

/** What zone birch charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 300;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 72;
  }
  if (kilograms >= 49) {
    // Two people have to carry it.
    cents += 840;
  }
  if (order.fragile) {
    cents += 70;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 3);
  }
  return Math.min(cents, 4050);
}

/** What zone birch charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 850;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 64;
  }
  if (kilograms >= 33) {
    // Two people have to carry it.
    cents += 480;
  }
  if (order.fragile) {
    cents += 95;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 16);
  }
  return Math.min(cents, 3760);
}

/** What zone birch charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 360;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 46;
  }
  if (kilograms >= 44) {
    // Two people have to carry it.
    cents += 220;
  }
  if (order.fragile) {
    cents += 150;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 12);
  }
  return Math.min(cents, 5160);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
