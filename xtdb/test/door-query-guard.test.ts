// @module-tag xtdb
// Verifies: a query cannot reach code that the allow-list does not name, nor make the node load any.
import { beforeAll, describe, expect, it } from "vitest";
import { requirement } from "../../tools/requirement.ts";
import { whatIsMissing, type XtdbNode } from "../launch/index.ts";
import { type Answer, get, post, put } from "./support/ask.ts";
import { sharedNode } from "./support/shared-node.ts";

const withXtdb = requirement("Java 17 and XTDB's jars", () => whatIsMissing() === undefined);

withXtdb("a query", () => {
  let node: XtdbNode;
  beforeAll(async () => {
    node = await sharedNode();
    await put(node.url, '{:xt/id "guarded" :guarded 1}', '{:xt/id "guarded, too" :guarded 2}');
  });

  const query = (text: string): Promise<Answer> => post(node.url, "query", `{:query ${text}}`);

  const refused = (answer: Answer): void => {
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)["xtdb.error/error-key"]).toBe("fn-not-allowed");
  };

  describe.each([
    ["of a function that is not allowed", "slurp"],
    ["of a shell", "clojure.java.shell/sh"],
    ["of a namespace on the class path that is not loaded", "clojure.zip/root"],
    // XTDB alone answers these with 500, because it tries to load what is named.
    ["of a namespace that does not exist", "no.such.namespace/f"],
    ["of a static method", "java.lang.System/getProperty"],
  ])("with the name %s is refused", (_, name) => {
    it.each([
      ["in :where", `{:find [x] :where [[(${name} "a") x]]}`],
      ["as a predicate", `{:find [e] :where [[e :guarded] [(${name} e)]]}`],
      [
        "in or, and, not",
        `{:find [e] :where [[e :guarded] (or [e :guarded 9] (and [e :guarded 1] (not [(${name} e)])))]}`,
      ],
      ["in :find", `{:find [(${name} e)] :where [[e :guarded]]}`],
      ["deep in :find", `{:find [[{:a (str (${name} e))}]] :where [[e :guarded]]}`],
      ["in a rule", `{:find [e] :where [[e :guarded] (r e)] :rules [[(r x) [(${name} x)]]]}`],
      ["in a query inside", `{:find [x] :where [[(q {:find [y] :where [[(${name} "a") y]]}) x]]}`],
      ["in a quoted query inside", `{:find [x] :where [[(q (quote {:find [y] :where [[(${name} "a") y]]})) x]]}`],
      ["in the text of a query inside", `{:find [x] :where [[(q "{:find [y] :where [[(${name} 1) y]]}") x]]}`],
      ["in the text of a query", JSON.stringify(`{:find [x] :where [[(${name} "a") x]]}`)],
      ["in a query as a vector", `[:find x :where [(${name} "a") x]]`],
    ])("%s", async (_place, text) => {
      refused(await query(text));
    });
  });

  it("is refused when it names a class, which naming would load", async () => {
    refused(await query("{:find [x] :where [[(java.awt.Toolkit 1) x]]}"));
    refused(await query("{:find [(java.awt.Toolkit e)] :where [[e :guarded]]}"));
  });

  it.each(["(cycle [1])", "(clojure.core/cycle [1])", "(repeat 1)", "(range)"])(
    "is refused when it asks for the endless %s, which nothing could stop",
    async (call) => {
      refused(await query(`{:find [x] :where [[${call} s] [(count s) x]]}`));
      refused(await query(`{:find [(count ${call})] :where [[e :guarded]]}`));
    },
  );

  it("is refused in a GET, too", async () => {
    const text = encodeURIComponent("{:find [x] :where [[(no.such.namespace/f 1) x]]}");

    refused(await get(node.url, `query?query-edn=${text}`));
  });

  it("must not carry metadata, which the compiler would look at", async () => {
    const answer = await query("{:find [(str ^java.awt.Toolkit e)] :where [[e :guarded]]}");

    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)["xtdb.error/error-key"]).toBe("query-metadata");
  });

  it("never evaluates what it reads", async () => {
    const answers = await Promise.all([
      query("#=(java.lang.System/exit 1)"),
      query('"#=(java.lang.System/exit 1)"'),
      query("{:find [e] :where [[e :guarded #=(+ 1 1)]]}"),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  it.each([
    [
      "a rule whose name has dots",
      "{:find [e] :where [[e :guarded] (my.rule e)] :rules [[(my.rule x) [x :guarded 1]]]}",
      '[["guarded"]]',
    ],
    [
      "data that looks like a call",
      "{:find [e] :in [x] :where [[e :guarded 1]]} :in-args [(no.such/f 1)]",
      '[["guarded"]]',
    ],
    ["a query inside", "{:find [x] :where [[(q {:find [y] :where [[y :guarded 1]]}) x]]}", '[[[["guarded"]]]]'],
    [
      "a function by its full name",
      "{:find [(clojure.core/inc n)] :where [[e :guarded n]] :order-by [[(clojure.core/inc n) :asc]]}",
      "[[2],[3]]",
    ],
    [
      "the history of an entity",
      '{:find [(count h)] :where [["guarded" :xt/id] [(xtdb.api/entity-history $ "guarded" :asc) [h ...]]]}',
      "[[1]]",
    ],
    ["an aggregate and a pull", "{:find [(count e) (max n)] :where [[e :guarded n]]}", "[[2,2]]"],
  ])("may hold %s", async (_, text, rows) => {
    const answer = await query(text);

    expect([answer.status, answer.body]).toEqual([200, rows]);
  });
});
