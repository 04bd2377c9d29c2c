(ns cm.xtdb.door.parameters
  "Parameters of the URL: names in kebab or camel case, values by type. Unknown names are ignored, as upstream does."
  (:require [clojure.instant :as instant]
            [clojure.string :as str]
            [cm.xtdb.door.faults :as faults])
  (:import (java.net URLDecoder)
           (java.nio.charset StandardCharsets)))

(set! *warn-on-reflection* true)

(defn- decoded ^String [^String text]
  (try
    (URLDecoder/decode text StandardCharsets/UTF_8)
    (catch IllegalArgumentException _
      (throw (faults/ill-typed "query-params" [] "percent-encoded?" nil)))))

(defn- kebab-case [name]
  (-> name
      (str/replace #"([a-z0-9])([A-Z])" "$1-$2")
      (str/replace "_" "-")
      str/lower-case))

(defn parse
  "Text of a query string -> map of kebab-case name to value. A name that comes twice has no value that could be meant."
  [^String query-string]
  (reduce
   (fn [parameters pair]
     (let [[name value] (str/split pair #"=" 2)
           name (kebab-case (decoded name))]
       (assoc parameters name (if (contains? parameters name) ::repeated (decoded (or value ""))))))
   {}
   (remove str/blank? (str/split (or query-string "") #"&"))))

(defn- refuse [name predicate value]
  (throw (faults/ill-typed "query-params" [(keyword name)] predicate value)))

(defn text
  "Value of a parameter, or nil."
  [parameters name]
  (let [value (get parameters name)]
    (if (= ::repeated value)
      (refuse name "once?" nil)
      value)))

(defn- typed [parameters name predicate parse-value]
  (when-let [value (text parameters name)]
    (let [parsed (try (parse-value value) (catch RuntimeException _ nil))]
      (if (nil? parsed) (refuse name predicate value) parsed))))

(defn integer [parameters name]
  (typed parameters name "int?" parse-long))

(defn milliseconds
  "A duration that is not negative."
  [parameters name]
  (typed parameters name "nat-int?" #(let [n (parse-long %)] (when-not (neg? n) n))))

(defn date
  "RFC 3339 or any prefix of it, to the millisecond."
  [parameters name]
  (typed parameters name "inst?" instant/read-instant-date))

(defn flag [parameters name]
  (typed parameters name "boolean?" {"true" true, "false" false}))

(defn flag-set? [parameters name]
  (true? (flag parameters name)))

(defn one-of [parameters name words]
  (typed parameters name (str "one of " (str/join ", " (sort (keys words)))) words))

(defn required
  "`read-value` applied to a parameter that must be there."
  [read-value parameters name]
  (let [value (read-value parameters name)]
    (if (nil? value) (refuse name "present?" nil) value)))
