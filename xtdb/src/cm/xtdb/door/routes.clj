(ns cm.xtdb.door.routes
  "Paths and methods."
  (:require [cm.xtdb.door.basis :as basis]
            [cm.xtdb.door.entity :as entity]
            [cm.xtdb.door.query :as query]
            [cm.xtdb.door.status :as status]
            [cm.xtdb.door.submit :as submit]
            [cm.xtdb.door.transactions :as transactions]))

(set! *warn-on-reflection* true)

(def table
  "Path -> {method endpoint}, whether the await parameters are honoured, and whether it may read much."
  {"/_xtdb/status" {"GET" #'status/status}
   "/_xtdb/attribute-stats" {"GET" #'status/attribute-stats}
   "/_xtdb/active-queries" {"GET" #'status/active-queries}
   "/_xtdb/recent-queries" {"GET" #'status/recent-queries}
   "/_xtdb/slowest-queries" {"GET" #'status/slowest-queries}
   "/_xtdb/db" {"GET" #'basis/db, :awaits? true}
   "/_xtdb/submit-tx" {"POST" #'submit/submit-tx}
   "/_xtdb/tx-committed" {"GET" #'transactions/tx-committed, :awaits? true}
   "/_xtdb/await-tx" {"GET" #'transactions/await-tx}
   "/_xtdb/await-tx-time" {"GET" #'transactions/await-tx-time}
   "/_xtdb/sync" {"GET" #'transactions/sync-index}
   "/_xtdb/latest-completed-tx" {"GET" #'transactions/latest-completed-tx, :awaits? true}
   "/_xtdb/latest-submitted-tx" {"GET" #'transactions/latest-submitted-tx}
   "/_xtdb/entity" {"GET" #'entity/entity, :awaits? true, :reads? true}
   "/_xtdb/entity-tx" {"GET" #'entity/entity-tx, :awaits? true}
   "/_xtdb/query" {"GET" #'query/query, "POST" #'query/query, :awaits? true, :reads? true}
   "/_xtdb/tx-log" {"GET" #'transactions/tx-log, :awaits? true, :reads? true}})

(def plain-error-keys
  "Endpoints whose errors keep the namespaces of their keys in JSON, as upstream's do."
  #{"/_xtdb/entity" "/_xtdb/query"})

(defn find-route
  "{:endpoint :awaits? :reads?}, :no-path or :no-method."
  [path method]
  (if-let [route (get table path)]
    (if-let [endpoint (get route method)]
      (assoc route :endpoint endpoint)
      :no-method)
    :no-path))
