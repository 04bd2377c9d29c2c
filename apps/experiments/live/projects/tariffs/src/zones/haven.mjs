import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "haven";

/** What zone haven charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 850;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 40;
  }
  if (kilograms >= 40) {
    // Two people have to carry it.
    cents += 480;
  }
  if (order.fragile) {
    cents += 55;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 17);
  }
  return Math.min(cents, 3540);
}

/** What zone haven charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 790;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 83;
  }
  if (kilograms >= 33) {
    // Two people have to carry it.
    cents += 730;
  }
  if (order.fragile) {
    cents += 50;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 5240);
}

/** What zone haven charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 520;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 30;
  }
  if (kilograms >= 54) {
    // Two people have to carry it.
    cents += 270;
  }
  if (order.fragile) {
    cents += 65;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 6040);
}

/** What zone haven charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 810;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 14;
  }
  if (kilograms >= 21) {
    // Two people have to carry it.
    cents += 520;
  }
  if (order.fragile) {
    cents += 100;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 17);
  }
  return Math.min(cents, 7650);
}

/** What zone haven charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 500;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 21;
  }
  if (kilograms >= 33) {
    // Two people have to carry it.
    cents += 750;
  }
  if (order.fragile) {
    cents += 115;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 4);
  }
  return Math.min(cents, 3700);
}

/** What zone haven charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 320;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 41;
  }
  if (kilograms >= 30) {
    // Two people have to carry it.
    cents += 240;
  }
  if (order.fragile) {
    cents += 40;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 24);
  }
  return Math.min(cents, 6390);
}

/** What zone haven charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 770;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 80;
  }
  if (kilograms >= 28) {
    // Two people have to carry it.
    cents += 720;
  }
  if (order.fragile) {
    cents += 85;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 15);
  }
  return Math.min(cents, 7230);
}

/** What zone haven charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 710;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 68;
  }
  if (kilograms >= 29) {
    // Two people have to carry it.
    cents += 390;
  }
  if (order.fragile) {
    cents += 110;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 23);
  }
  return Math.min(cents, 3050);
}

/** What zone haven charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 320;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 94;
  }
  if (kilograms >= 22) {
    // Two people have to carry it.
    cents += 900;
  }
  if (order.fragile) {
    cents += 115;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 19);
  }
  return Math.min(cents, 8580);
}

/** What zone haven charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 670;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 18;
  }
  if (kilograms >= 40) {
    // Two people have to carry it.
    cents += 530;
  }
  if (order.fragile) {
    cents += 90;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 16);
  }
  return Math.min(cents, 9100);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
