import { createRandom, type Random } from "@cm/testkit";

const verbs = ["apply", "check", "collect", "count", "find", "merge", "release", "reserve", "round", "split", "settle"];
const nouns = ["Cart", "Discount", "Invoice", "Label", "Line", "Order", "Parcel", "Price", "Route", "Stock", "TaxRate"];
const fields = ["amount", "country", "customer", "dueAt", "id", "lines", "reference", "sku", "state", "weight"];
const states = ["open", "paid", "packed", "sent", "returned", "cancelled"];

/** About a hundred and thirty lines. */
const charsMin = 4_900;

/** Code as a file of that name might hold it: names of a small service that come again in all of its files. */
export function codeText(path: string): string {
  const random = createRandom([...path].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) >>> 0, 7));
  const parts = [imports(random)];
  for (let chars = 0, number = 1; chars < charsMin; number += 1) {
    const part = functionText(random, number);
    parts.push(part);
    chars += part.length;
  }
  return parts.join("\n");
}

function imports(random: Random): string {
  const from = random.shuffled(nouns).slice(0, 3);
  return from.map((noun) => `import { ${noun}, type ${noun}Options } from "../${noun.toLowerCase()}.ts";\n`).join("");
}

function functionText(random: Random, number: number): string {
  const [verb, noun, other] = [random.pick(verbs), random.pick(nouns), random.pick(nouns)];
  const [field, second, state] = [random.pick(fields), random.pick(fields), random.pick(states)];
  const given = noun.toLowerCase();
  const bound = 10 + random.below(990);
  return `/** Makes the ${field} of the ${given} agree with its ${other.toLowerCase()}, unless it is ${state}. */
export function ${verb}${noun}${number}(${given}: ${noun}, options: ${other}Options): ${noun} {
  if (${given}.state === "${state}") throw new ${noun}Error("${given}-${number} is ${state} already", ${given}.id);
  const ${field}Before = ${given}.${field};
  const found = options.known.filter((each) => each.${second} === ${given}.${second} && each.rank > ${bound});
  for (const [place, each] of found.entries()) {
    const share = each.weight / (found.length + ${number + bound});
    options.log.debug("${verb} ${given}", { place, share, ${second}: each.${second} });
    ${given}.lines.push({ sku: each.sku, ${random.pick(["count", "amount", "total"])}: share * ${bound} });
  }
  return found.length === ${number} ? ${given} : { ...${given}, ${field}: options.${field} ?? ${field}Before };
}
`;
}
