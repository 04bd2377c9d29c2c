(ns cm.xtdb.door.query-guard
  "Looks at a query before XTDB does. XTDB loads the namespace of a name that is called before it asks the allow-list,
  and a name with dots loads a class; either runs code of the class path. So: only names that are loaded already."
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

(defn- endless?
  "Whether a call makes a sequence without end: what counts or prints it neither ends nor looks at an interrupt."
  [called arguments]
  (and (contains? #{nil "clojure.core"} (namespace called))
       (case (name called)
         "cycle" true
         "repeat" (= 1 (count arguments))
         "range" (empty? arguments)
         false)))

(defn- check-head [[called & arguments]]
  (when (symbol? called)
    (check-name called)
    (when (endless? called arguments) (refuse-name called))))

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

(defn- check-query [query]
  (when (map? query)
    (check-metadata (dissoc query :args))
    (check-expression (:find query))
    (check-expression (:order-by query))
    (check-terms (:where query))
    (when (sequential? (:rules query)) (run! check-rule (:rules query)))))

(defn checked
  "The query as a value, safe to be given to XTDB. Throws 400 otherwise."
  [query]
  (doto (read-query query) check-query))
