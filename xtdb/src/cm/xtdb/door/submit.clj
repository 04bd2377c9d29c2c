(ns cm.xtdb.door.submit
  "Transactions in: reads the operations and gives them to the log."
  (:require [clojure.instant :as instant]
            [cm.xtdb.door.edn :as edn]
            [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.formats :as formats]
            [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.json :as json]
            [cm.xtdb.door.last-modified :as last-modified]
            [cm.xtdb.door.parameters :as parameters]
            [cm.xtdb.door.storable :as storable]
            [cm.xtdb.door.transit :as transit]
            [cm.xtdb.door.waiting :as waiting]
            [xtdb.api :as xt]
            [xtdb.codec :as codec]))

(set! *warn-on-reflection* true)

(def ^:private body-types #{edn/media-type json/media-type transit/media-type})

(defn- json-time [text] (some-> text instant/read-instant-date))

(defn- json-document
  "The code of a transaction function is a string in JSON."
  [document]
  (cond-> document
    (and (map? document) (string? (:xt/fn document))) (update :xt/fn codec/read-edn-string-with-readers)))

(defn- json-operation [[name & arguments :as operation]]
  (let [op (keyword "xtdb.api" name)
        [a b c & more] arguments
        present (fn [& values] (into [op] (take (count arguments)) values))]
    (case op
      ::xt/put (present (json-document a) (json-time b) (json-time c))
      ::xt/delete (present a (json-time b) (json-time c))
      ::xt/match (present a (json-document b) (json-time c))
      ::xt/cas (present (json-document a) (json-document b) (json-time c))
      (into [op] arguments))))

(defn- json-operations
  "A fault in an operation is a malformed body in JSON, because upstream reads operations while it decodes."
  [body]
  (try
    (cond-> body (vector? (:tx-ops body)) (update :tx-ops #(mapv json-operation %)))
    (catch Exception _
      (throw (faults/malformed json/media-type)))))

(defn- body-parameters [{:keys [body content-type json?]}]
  (let [body (cond-> (formats/parse content-type body body-types) json? json-operations)]
    (cond
      (not (map? body)) (throw (faults/ill-typed "body-params" [] "map?" nil))
      (not (vector? (:tx-ops body))) (throw (faults/ill-typed "body-params" [:tx-ops] "vector?" nil))
      :else body)))

(defn- invalid-operation [message]
  (faults/illegal :invalid-tx-op (str "invalid tx-op: " message)))

(defn- executable?
  "Whether an operation calls a transaction function or stores one."
  [operation]
  (or (= ::xt/fn (first operation))
      (some #(and (map? %) (or (contains? % :xt/fn) (contains? % :crux.db/fn))) operation)))

(defn- check-operation [operation {:keys [transaction-functions? nesting-max]}]
  (when-not (sequential? operation)
    (throw (invalid-operation "an operation is a vector")))
  (when (and (not transaction-functions?) (executable? operation))
    (throw (faults/illegal :transaction-functions-not-allowed
                           "Transaction functions run code on the server; this node refuses them")))
  (storable/check operation nesting-max))

(defn- conforming-refusal
  "XTDB's refusal of an operation, in the words of the encoding."
  [e json?]
  (if (and json? (= :invalid-tx-op (:xtdb.error/error-key (ex-data e))))
    (faults/malformed json/media-type)
    e))

(defn- committed?
  "Whether a queued transaction was applied; nil where that is not known in time. Never throws: the answer must say that
  it is queued."
  [{:keys [node options work] :as request} tx asked-ms]
  (try
    (waiting/await-tx request tx (waiting/wait-ms options asked-ms))
    (xt/tx-committed? node tx)
    (catch Exception _ nil)
    (finally
      ;; The wait has lifted it.
      (hang-up/shield! work true))))

(defn submit-tx
  "POST /submit-tx: 202, which means queued. Whether it was applied tx-committed tells; with await-tx-timeout this answer
  does, where the transaction is indexed in time."
  [{:keys [node options content-type parameters] :as request}]
  (let [json? (= json/media-type (formats/media-type content-type))
        asked-ms (parameters/milliseconds parameters "await-tx-timeout")
        {:keys [tx-ops] :xtdb.api/keys [submit-tx-opts]} (body-parameters (assoc request :json? json?))]
    (run! #(check-operation % options) tx-ops)
    (let [tx (try
               (xt/submit-tx node tx-ops (or submit-tx-opts {}))
               (catch xtdb.IllegalArgumentException e
                 (throw (conforming-refusal e json?))))
          committed (when asked-ms (committed? request (select-keys tx [::xt/tx-id]) asked-ms))]
      (-> {:status 202
           :body (cond-> (select-keys tx [::xt/tx-id ::xt/tx-time])
                   (some? committed) (assoc :cm.xtdb/committed? committed))
           :camel? true}
          (last-modified/stamp (::xt/tx-time tx))))))
