(ns cm.xtdb.door.basis
  "The state of the database that a request asks for."
  (:require [cm.xtdb.door.parameters :as parameters]
            [xtdb.api :as xt]))

(set! *warn-on-reflection* true)

(defn database
  "XTDB's database value for valid-time, tx-time and tx-id."
  [{:keys [node parameters]}]
  (let [valid-time (parameters/date parameters "valid-time")
        tx-time (parameters/date parameters "tx-time")
        tx-id (parameters/integer parameters "tx-id")]
    (xt/db node (cond-> {}
                  valid-time (assoc ::xt/valid-time valid-time)
                  (or tx-time tx-id) (assoc ::xt/tx {::xt/tx-time tx-time, ::xt/tx-id tx-id})))))

(defn db
  "GET /db"
  [request]
  {:status 200, :body (xt/db-basis (database request)), :camel? true})
