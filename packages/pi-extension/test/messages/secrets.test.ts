// Verifies: decision 63: a model sees a file as it is, the store does not; no secret turns up where another one was.
import { describe, expect, it } from "vitest";
import { Secrets } from "../../src/messages/secrets.ts";

const redact = (whole: string) => ({ text: whole.replaceAll(/sk-\w+/g, "[redacted:key]"), count: 0 });
const restored = (prompt: string, original: string) => new Secrets(redact).restore(prompt, {}, () => original);

describe("lines with secrets", () => {
  it("are put back to what that very output said", () => {
    const original = "# keys\nA=sk-1\nB=sk-2";

    expect(restored(`id=t1\n${redact(original).text}`, original)).toBe(`id=t1\n${original}`);
  });

  it("stay marked where two of them look the same", () => {
    const original = "A=sk-1\nB=sk-2\nA=sk-3";

    expect(restored(redact(original).text, original)).toBe("A=[redacted:key]\nB=sk-2\nA=[redacted:key]");
  });

  it("are put back where the same one is there twice", () => {
    const original = "A=sk-1\nA=sk-1";

    expect(restored(redact(original).text, original)).toBe(original);
  });

  it("are never put into a longer line that ends or begins alike", () => {
    const original = "KEY=sk-1\nMY_KEY=sk-2\nKEY=sk-3 # old";

    expect(restored(redact(original).text, original)).toBe(original);
    expect(restored("OTHER_KEY=[redacted:key]", original)).toBe("OTHER_KEY=[redacted:key]");
  });

  it("of another output stay marked", () => {
    const secrets = new Secrets(redact);

    expect(secrets.restore("A=[redacted:key]", {}, () => "A=sk-1")).toBe("A=sk-1");
    expect(secrets.restore("A=[redacted:key]", {}, () => "nothing here")).toBe("A=[redacted:key]");
  });

  it("stay marked where the redactor joined lines", () => {
    const joining = () => ({ text: "[redacted:private-key]", count: 1 });

    expect(new Secrets(joining).restore("[redacted:private-key]", {}, () => "a\nb")).toBe("[redacted:private-key]");
  });

  it("are looked for once for each output, and not at all where nothing is marked", () => {
    let asked = 0;
    const original = () => {
      asked += 1;
      return "A=sk-1";
    };
    const secrets = new Secrets(redact);
    const message = {};

    expect(secrets.restore("plain", message, original)).toBe("plain");
    expect(asked).toBe(0);
    for (let n = 0; n < 3; n += 1) secrets.restore("A=[redacted:key]", message, original);
    expect(asked).toBe(1);
  });

  it("may have been written by the tool itself", () => {
    expect(restored("[redacted:none]", "[redacted:none]")).toBe("[redacted:none]");
  });
});
