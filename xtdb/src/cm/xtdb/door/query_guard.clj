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
  "`name` stands where a function is called."
  [name]
  (if-let [of (namespace name)]
    (when-not (some-> (find-ns (symbol of)) (ns-resolve (symbol (clojure.core/name name))) var?)
      (refuse-name name))
    (when (str/includes? (subs (str name) 1) ".")
      (refuse-name name))))

(defn- read-query
  "The query itself where its text was given. A text that cannot be read is left to XTDB to refuse."
  [query]
  (let [query (if (string? query)
                (try (codec/read-edn-string-with-readers query) (catch Exception _ query))
                query)]
    (if (vector? query) (query/normalize-query query) query)))

(declare check-form)

(defn- check-call [[called & arguments]]
  (when (symbol? called) (check-name called))
  (when (= 'q called)
    (let [[nested] arguments]
      (check-form (read-query (if (and (seq? nested) (= 'quote (first nested))) (second nested) nested))))))

(defn- check-form
  [form]
  (when (and (instance? clojure.lang.IObj form) (meta form))
    ;; Metadata of code is evaluated or loads classes; a query has no use for it.
    (throw (faults/illegal :query-metadata "A query must not carry metadata.")))
  (when (seq? form) (check-call form))
  (cond
    (map? form) (run! (fn [[k v]] (check-form k) (check-form v)) form)
    (coll? form) (run! check-form form)))

(defn checked
  "The query as a value, safe to be given to XTDB. Throws 400 otherwise."
  [query]
  (let [query (read-query query)]
    (when (map? query)
      (check-form (dissoc query :args)))
    query))
