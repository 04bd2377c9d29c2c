(ns cm.xtdb.door.entity
  "One entity: its document, its transaction, its history."
  (:require [cm.xtdb.door.basis :as basis]
            [cm.xtdb.door.edn :as edn]
            [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.json :as json]
            [cm.xtdb.door.last-modified :as last-modified]
            [cm.xtdb.door.parameters :as parameters]
            [xtdb.api :as xt]
            [xtdb.codec :as codec]))

(set! *warn-on-reflection* true)

(defn- id-parameter [parameters name parse]
  (when-let [text (parameters/text parameters name)]
    (let [id (try (parse text) (catch clojure.lang.ExceptionInfo _ ::none))]
      (if (and (not= ::none id) (not= ::edn/incomplete id) (some? id) (codec/valid-id? id))
        id
        (throw (faults/ill-typed "query-params" [(keyword name)] "entity-id?" text))))))

(defn- entity-id
  "eid-edn before eid-json before eid; nil when there is none."
  [{:keys [parameters]}]
  (or (id-parameter parameters "eid-edn" edn/parse)
      (id-parameter parameters "eid-json" json/parse)
      (parameters/text parameters "eid")))

(defn- bound [parameters end]
  (let [tx-time (parameters/date parameters (str end "-tx-time"))
        tx-id (parameters/integer parameters (str end "-tx-id"))]
    (cond-> {}
      tx-time (assoc ::xt/tx-time tx-time)
      tx-id (assoc ::xt/tx-id tx-id))))

(defn- history-options [parameters]
  (let [start-valid-time (parameters/date parameters "start-valid-time")
        end-valid-time (parameters/date parameters "end-valid-time")]
    (cond-> {:with-docs? (parameters/flag-set? parameters "with-docs")
             :with-corrections? (parameters/flag-set? parameters "with-corrections")
             :start-tx (bound parameters "start")
             :end-tx (bound parameters "end")}
      start-valid-time (assoc :start-valid-time start-valid-time)
      end-valid-time (assoc :end-valid-time end-valid-time))))

(defn- history [{:keys [parameters options work] :as request} eid]
  (let [sort-order (parameters/one-of parameters "sort-order" {"asc" :asc, "desc" :desc})]
    (when-not sort-order
      (throw (faults/illegal :missing-sort-order "A history needs sort-order, asc or desc.")))
    (hang-up/limit! work (:query-ms-max options))
    {:status 200
     :cursor (xt/open-entity-history (basis/database request) eid sort-order (history-options parameters))
     :camel? true}))

(defn- document [request eid]
  (if-let [document (xt/entity (basis/database request) eid)]
    {:status 200, :body document}
    {:status 404, :body {:error (str eid " entity not found")}}))

(defn entity
  "GET /entity"
  [{:keys [parameters] :as request}]
  (let [eid (entity-id request)]
    (cond
      (nil? eid) (throw (faults/illegal :missing-eid "Missing eid"))
      (parameters/flag-set? parameters "history") (history request eid)
      :else (document request eid))))

(defn entity-tx
  "GET /entity-tx"
  [request]
  (let [eid (entity-id request)]
    (when (nil? eid)
      (throw (faults/ill-typed "query-params" [] "(or eid-edn eid-json eid)" nil)))
    (if-let [tx (xt/entity-tx (basis/database request) eid)]
      (-> {:status 200, :body (into {} tx), :camel? true}
          (last-modified/stamp (::xt/tx-time tx)))
      {:status 404, :body {:error (str eid " entity-tx not found")}})))
