import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "cedar";

/** What zone cedar charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 680;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 71;
  }
  if (kilograms >= 29) {
    // Two people have to carry it.
    cents += 540;
  }
  if (order.fragile) {
    cents += 145;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 3);
  }
  return Math.min(cents, 4800);
}

/** What zone cedar charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 500;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 56;
  }
  if (kilograms >= 24) {
    // Two people have to carry it.
    cents += 170;
  }
  if (order.fragile) {
    cents += 60;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 4);
  }
  return Math.min(cents, 8990);
}

/** What zone cedar charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 620;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 22;
  }
  if (kilograms >= 31) {
    // Two people have to carry it.
    cents += 150;
  }
  if (order.fragile) {
    cents += 105;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 5);
  }
  return Math.min(cents, 8660);
}

/** What zone cedar charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 650;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 14;
  }
  if (kilograms >= 29) {
    // Two people have to carry it.
    cents += 820;
  }
  if (order.fragile) {
    cents += 100;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 6);
  }
  return Math.min(cents, 4650);
}

/** What zone cedar charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 350;
  if (kilograms > 3) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 3) * 41;
  }
  if (kilograms >= 23) {
    // Two people have to carry it.
    cents += 650;
  }
  if (order.fragile) {
    cents += 35;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 9580);
}

/** What zone cedar charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 700;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 20;
  }
  if (kilograms >= 37) {
    // Two people have to carry it.
    cents += 240;
  }
  if (order.fragile) {
    cents += 140;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 24);
  }
  return Math.min(cents, 5810);
}

/** What zone cedar charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 630;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 15;
  }
  if (kilograms >= 56) {
    // Two people have to carry it.
    cents += 790;
  }
  if (order.fragile) {
    cents += 135;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 17);
  }
  return Math.min(cents, 9650);
}

/** What zone cedar charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 830;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 27;
  }
  if (kilograms >= 53) {
    // Two people have to carry it.
    cents += 520;
  }
  if (order.fragile) {
    cents += 45;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 20);
  }
  return Math.min(cents, 3720);
}

/** What zone cedar charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 490;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 87;
  }
  if (kilograms >= 24) {
    // Two people have to carry it.
    cents += 380;
  }
  if (order.fragile) {
    cents += 110;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 4);
  }
  return Math.min(cents, 8310);
}

/** What zone cedar charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 670;
  if (kilograms > 3) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 3) * 48;
  }
  if (kilograms >= 44) {
    // Two people have to carry it.
    cents += 480;
  }
  if (order.fragile) {
    cents += 100;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 9);
  }
  return Math.min(cents, 3680);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
