(ns cm.xtdb.door.transactions
  "What has been submitted, indexed and committed."
  (:require [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.last-modified :as last-modified]
            [cm.xtdb.door.parameters :as parameters]
            [cm.xtdb.door.waiting :as waiting]
            [xtdb.api :as xt]
            [xtdb.io :as xio]))

(set! *warn-on-reflection* true)

(defn tx-committed
  "GET /tx-committed. Ahead of the index: 400 node-out-of-sync (upstream breaks there)."
  [{:keys [node parameters]}]
  (let [tx-id (parameters/required parameters/integer parameters "tx-id")]
    {:status 200, :body {:tx-committed? (xt/tx-committed? node {::xt/tx-id tx-id})}, :camel? true}))

(defn- timeout-ms [{:keys [options parameters]}]
  (waiting/wait-ms options (parameters/milliseconds parameters "timeout")))

(defn await-tx
  "GET /await-tx"
  [{:keys [parameters] :as request}]
  (let [tx-id (parameters/required parameters/integer parameters "tx-id")
        tx (waiting/await-tx request {::xt/tx-id tx-id} (timeout-ms request))]
    (-> {:status 200, :body (select-keys tx [::xt/tx-time ::xt/tx-id]), :camel? true}
        (last-modified/stamp (::xt/tx-time tx)))))

(defn- tx-time-answer [tx-time]
  (-> {:status 200, :body {::xt/tx-time tx-time}, :camel? true}
      (last-modified/stamp tx-time)))

(defn await-tx-time
  "GET /await-tx-time"
  [{:keys [parameters] :as request}]
  (let [tx-time (parameters/required parameters/date parameters "tx-time")]
    (tx-time-answer (waiting/await-tx-time request tx-time (timeout-ms request)))))

(defn sync-index
  "GET /sync: waits for what had been submitted when the request came, or for the deprecated tx-time."
  [{:keys [node parameters] :as request}]
  (if-let [tx-time (parameters/date parameters "tx-time")]
    (tx-time-answer (waiting/await-tx-time request tx-time (timeout-ms request)))
    (tx-time-answer (when-let [tx (xt/latest-submitted-tx node)]
                      (::xt/tx-time (waiting/await-tx request tx (timeout-ms request)))))))

(defn- latest [tx name]
  (if tx
    {:status 200, :body tx, :camel? true}
    {:status 404, :body {:error (str "No " name " found.")}}))

(defn latest-completed-tx
  "GET /latest-completed-tx"
  [{:keys [node]}]
  (latest (some-> (xt/latest-completed-tx node) (select-keys [::xt/tx-time ::xt/tx-id])) "latest-completed-tx"))

(defn latest-submitted-tx
  "GET /latest-submitted-tx"
  [{:keys [node]}]
  (latest (some-> (xt/latest-submitted-tx node) (select-keys [::xt/tx-id])) "latest-submitted-tx"))

(defn- plain-names
  "In JSON the operations of the log are named without their namespace, those inside a function call are not."
  [entry]
  (letfn [(plain [operations]
            (map (fn [[op & arguments]] (cons (name op) arguments)) operations))]
    (cond-> entry
      (::xt/tx-events entry) (update ::xt/tx-events plain)
      (::xt/tx-ops entry) (update ::xt/tx-ops plain))))

(defn tx-log
  "GET /tx-log: oldest first, from after-tx-id on, committed transactions only. While nothing is indexed there is none:
  the engine compares with the newest indexed transaction, and breaks where there is none yet."
  [{:keys [node parameters options work]}]
  (let [after-tx-id (parameters/integer parameters "after-tx-id")
        with-ops? (parameters/flag-set? parameters "with-ops?")
        latest-tx (xt/latest-completed-tx node)]
    (hang-up/limit! work (:query-ms-max options))
    (-> {:status 200
         :cursor (if latest-tx (xt/open-tx-log node after-tx-id with-ops?) (xio/->cursor (fn []) []))
         :json-row plain-names
         :camel? true}
        (last-modified/stamp (::xt/tx-time latest-tx)))))
