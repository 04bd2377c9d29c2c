(ns cm.xtdb.door.query-guard
  "Looks at a query before XTDB does. XTDB loads the namespace of a name that is called before it asks the allow-list,
  and a name with dots loads a class; either runs code of the class path. So: only names that are loaded already.
  And no function that can run for ever, or for as good as ever, without a look at the interrupt that ends a query."
  (:require [clojure.string :as str]
            [cm.xtdb.door.faults :as faults]
            [xtdb.codec :as codec]
            [xtdb.query :as query]))

(set! *warn-on-reflection* true)

(defn- refuse-name [name]
  (throw (faults/illegal :fn-not-allowed
                         (str "Query used a function that was not in the allowlist: " name))))

(defn- check-name
  "`called` stands where XTDB looks for a function."
  [called]
  (if-let [of (namespace called)]
    (when-not (some-> (find-ns (symbol of)) (ns-resolve (symbol (name called))) var?)
      (refuse-name called))
    (when (str/includes? (subs (name called) 1) ".")
      (refuse-name called))))

(def ^:private unbounded
  "What makes much out of little, or backtracks: sequences without end or of any length, text of any width, regular
  expressions, digits out of an exponent, numbers out of a text of any length. What counts, prints or matches these neither
  ends nor can be interrupted."
  '#{cycle range repeat partition partition-all take-nth
     re-find re-groups re-matcher re-matches re-pattern re-seq
     format bigdec bigint biginteger})

;; XTDB allows them by itself. It asks this list for each function that a query resolves, wherever it is named.
(alter-var-root #'query/default-allow-list
                #(reduce disj % (map (fn [called] (symbol "clojure.core" (name called))) unbounded)))

(def ^:private drawn-max 1000000)

(defn- unbounded?
  "Whether a call may not end. `rand` as an aggregate draws as many values as it is told."
  [called arguments]
  (and (contains? #{nil "clojure.core"} (namespace called))
       (or (contains? unbounded (symbol (name called)))
           (and (= "rand" (name called)) (some #(and (number? %) (< drawn-max %)) arguments)))))

(defn- check-head [[called & arguments]]
  (when (symbol? called)
    (check-name called)
    (when (unbounded? called arguments) (refuse-name called))))

(defn- read-query
  "The query itself where its text was given. A text that cannot be read is left to XTDB to refuse."
  [query]
  (let [query (if (string? query)
                (try (codec/read-edn-string-with-readers query) (catch Exception _ query))
                query)]
    (if (vector? query) (query/normalize-query query) query)))

(declare check-query)

(defn- check-nested
  "[(q {:find ..} argument ..) rows]: a query inside a query, quoted or not."
  [[called nested]]
  (when (= 'q called)
    (check-query (read-query (if (and (seq? nested) (= 'quote (first nested))) (second nested) nested)))))

(defn- check-terms
  "Calls in :where and in rules are lists at the head of a vector; other lists there are rules, or, not and and."
  [form]
  (when (and (vector? form) (seq? (first form)))
    (check-head (first form))
    (check-nested (first form)))
  (when (sequential? form) (run! check-terms form)))

(defn- check-rule [rule]
  (when (sequential? rule) (run! check-terms (rest rule))))

(defn- check-expression
  "In :find every list may be a call."
  [form]
  (when (seq? form) (check-head form))
  (cond
    (map? form) (run! (fn [[k v]] (check-expression k) (check-expression v)) form)
    (coll? form) (run! check-expression form)))

(defn- check-metadata
  "Metadata of code is evaluated, or loads classes; a query has no use for it."
  [form]
  (when (and (instance? clojure.lang.IObj form) (seq (meta form)))
    (throw (faults/illegal :query-metadata "A query must not carry metadata")))
  (cond
    (map? form) (run! (fn [[k v]] (check-metadata k) (check-metadata v)) form)
    (coll? form) (run! check-metadata form)))

(def ^:private exponent-max 1000)

(defn check-value
  "Throws 400 for a value, of a query or an argument, that would exhaust the stack or that arithmetic would write out to
  a thousand million digits. `depth` is how deep it may nest."
  [value ^long depth]
  (cond
    (neg? depth) (throw (faults/illegal :nested-too-deep "A value is nested too deep for a query"))
    (and (decimal? value) (< exponent-max (Math/abs (long (.scale ^BigDecimal value)))))
    (throw (faults/illegal :number-too-long "A decimal number has too large an exponent for a query"))
    (map? value) (reduce-kv (fn [_ k v] (check-value k (dec depth)) (check-value v (dec depth))) nil value)
    (coll? value) (reduce (fn [_ v] (check-value v (dec depth))) nil value)))

(defn- check-query [query]
  (when (map? query)
    (check-metadata (dissoc query :args))
    (check-expression (:find query))
    (check-expression (:order-by query))
    (check-terms (:where query))
    (when (sequential? (:rules query)) (run! check-rule (:rules query)))))

(defn checked
  "The query as a value, safe to be given to XTDB. Throws 400 otherwise. `depth` is how deep it may nest."
  [query depth]
  (doto (read-query query) (check-value depth) check-query))
