import { percent, weightOf } from "../money.mjs";

/** The zone's name on labels. */
export const zone = "delta";

/** What zone delta charges for goods of class letter, in cents. */
export function letter(order) {
  const kilograms = weightOf(order, "letter");
  let cents = 860;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 21;
  }
  if (kilograms >= 49) {
    // Two people have to carry it.
    cents += 150;
  }
  if (order.fragile) {
    cents += 75;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 16);
  }
  return Math.min(cents, 7570);
}

/** What zone delta charges for goods of class parcel, in cents. */
export function parcel(order) {
  const kilograms = weightOf(order, "parcel");
  let cents = 450;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 55;
  }
  if (kilograms >= 25) {
    // Two people have to carry it.
    cents += 600;
  }
  if (order.fragile) {
    cents += 100;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 15);
  }
  return Math.min(cents, 6560);
}

/** What zone delta charges for goods of class crate, in cents. */
export function crate(order) {
  const kilograms = weightOf(order, "crate");
  let cents = 770;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 65;
  }
  if (kilograms >= 28) {
    // Two people have to carry it.
    cents += 520;
  }
  if (order.fragile) {
    cents += 80;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 22);
  }
  return Math.min(cents, 6710);
}

/** What zone delta charges for goods of class barrel, in cents. */
export function barrel(order) {
  const kilograms = weightOf(order, "barrel");
  let cents = 630;
  if (kilograms > 6) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 6) * 37;
  }
  if (kilograms >= 30) {
    // Two people have to carry it.
    cents += 400;
  }
  if (order.fragile) {
    cents += 145;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 3560);
}

/** What zone delta charges for goods of class glass, in cents. */
export function glass(order) {
  const kilograms = weightOf(order, "glass");
  let cents = 290;
  if (kilograms > 4) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 4) * 79;
  }
  if (kilograms >= 23) {
    // Two people have to carry it.
    cents += 280;
  }
  if (order.fragile) {
    cents += 110;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 20);
  }
  return Math.min(cents, 3520);
}

/** What zone delta charges for goods of class liquid, in cents. */
export function liquid(order) {
  const kilograms = weightOf(order, "liquid");
  let cents = 860;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 22;
  }
  if (kilograms >= 21) {
    // Two people have to carry it.
    cents += 330;
  }
  if (order.fragile) {
    cents += 100;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 15);
  }
  return Math.min(cents, 7630);
}

/** What zone delta charges for goods of class plant, in cents. */
export function plant(order) {
  const kilograms = weightOf(order, "plant");
  let cents = 570;
  if (kilograms > 3) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 3) * 39;
  }
  if (kilograms >= 25) {
    // Two people have to carry it.
    cents += 400;
  }
  if (order.fragile) {
    cents += 125;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 24);
  }
  return Math.min(cents, 8220);
}

/** What zone delta charges for goods of class tool, in cents. */
export function tool(order) {
  const kilograms = weightOf(order, "tool");
  let cents = 410;
  if (kilograms > 2) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 2) * 93;
  }
  if (kilograms >= 54) {
    // Two people have to carry it.
    cents += 400;
  }
  if (order.fragile) {
    cents += 40;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 4330);
}

/** What zone delta charges for goods of class cloth, in cents. */
export function cloth(order) {
  const kilograms = weightOf(order, "cloth");
  let cents = 710;
  if (kilograms > 5) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 5) * 80;
  }
  if (kilograms >= 47) {
    // Two people have to carry it.
    cents += 770;
  }
  if (order.fragile) {
    cents += 120;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 8);
  }
  return Math.min(cents, 7070);
}

/** What zone delta charges for goods of class paper, in cents. */
export function paper(order) {
  const kilograms = weightOf(order, "paper");
  let cents = 570;
  if (kilograms > 1) {
    // Each kilogram that was begun counts.
    cents += Math.ceil(kilograms - 1) * 44;
  }
  if (kilograms >= 29) {
    // Two people have to carry it.
    cents += 540;
  }
  if (order.fragile) {
    cents += 50;
  }
  if (order.night) {
    // On top of everything before.
    cents += percent(cents, 24);
  }
  return Math.min(cents, 7980);
}

/** By class of goods. */
export const classes = { letter, parcel, crate, barrel, glass, liquid, plant, tool, cloth, paper };
