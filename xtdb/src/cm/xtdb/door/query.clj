(ns cm.xtdb.door.query
  "Datalog queries: GET with parameters, POST with an EDN or transit body."
  (:require [cm.xtdb.door.basis :as basis]
            [cm.xtdb.door.edn :as edn]
            [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.formats :as formats]
            [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.json :as json]
            [cm.xtdb.door.parameters :as parameters]
            [cm.xtdb.door.query-guard :as query-guard]
            [cm.xtdb.door.transit :as transit]
            [xtdb.api :as xt]))

(set! *warn-on-reflection* true)

(def ^:private body-types #{edn/media-type transit/media-type})

(defn- body-parameters [{:keys [body content-type]}]
  (let [body (formats/parse content-type body body-types)]
    (cond
      (not (map? body)) (throw (faults/ill-typed "body-params" [] "map?" nil))
      (not (contains? body :query)) (throw (faults/ill-typed "body-params" [] "(contains? % :query)" nil))
      (not (or (nil? (:in-args body)) (vector? (:in-args body))))
      (throw (faults/ill-typed "body-params" [:in-args] "vector?" nil))
      :else body)))

(defn- parsed-parameter [parameters name parse predicate]
  (when-let [text (parameters/text parameters name)]
    (let [value (try (parse text) (catch clojure.lang.ExceptionInfo _ nil))]
      (if (and (some? value) (not= ::edn/incomplete value) (predicate value))
        value
        (throw (faults/ill-typed "query-params" [(keyword name)] "readable?" nil))))))

(defn- asked
  "The query and its arguments: the URL before the body."
  [{:keys [parameters post?] :as request}]
  (let [body (when post? (body-parameters request))]
    {:query (or (parsed-parameter parameters "query-edn" edn/parse some?) (:query body))
     :in-args (or (parsed-parameter parameters "in-args-edn" edn/parse vector?)
                  (parsed-parameter parameters "in-args-json" json/parse vector?)
                  (:in-args body))}))

(defn- check-arguments [query in-args]
  (let [bindings (remove '#{$} (when (vector? (:in query)) (:in query)))]
    (when (and (map? query) (not= (count bindings) (count in-args)))
      (throw (faults/illegal :in-args-mismatch
                             (str ":in names " (count bindings) " arguments, :in-args holds " (count in-args)))))))

(defn- time-limit-ms [query {:keys [query-ms-max]}]
  (let [asked (when (map? query) (:timeout query))]
    (if (nat-int? asked) (min asked query-ms-max) query-ms-max)))

(defn query
  "GET and POST /query: the rows as they come, so they may repeat."
  [{:keys [options work] :as request}]
  (let [{:keys [query in-args]} (asked request)]
    (when (nil? query)
      (throw (faults/illegal :no-query "No query provided")))
    (query-guard/check-value in-args (:nesting-max options))
    (let [query (cond-> query (not (:any-function? options)) (query-guard/checked (:nesting-max options)))]
      (check-arguments query in-args)
      (hang-up/limit! work (time-limit-ms query options))
      {:status 200, :cursor (apply xt/open-q (basis/database request) query in-args)})))
