(ns cm.xtdb.door.status
  "How the node is: versions and stores, queries that run or ran, documents by attribute."
  (:require [xtdb.api :as xt]
            [xtdb.io :as xio])
  (:import (xtdb.query_state QueryState)))

(set! *warn-on-reflection* true)

(defn status
  "GET /status: versions, stores and whether indexing goes on."
  [{:keys [node]}]
  {:status 200, :body (into {} (xt/status node)), :camel? true})

(defn attribute-stats
  "GET /attribute-stats: how many documents were ever indexed with each attribute."
  [{:keys [node]}]
  {:status 200, :body (xt/attribute-stats node)})

(defn- shown [^QueryState state]
  (-> (into {} state)
      (update :query xio/pr-edn-str)
      (update :error #(some->> % (into {})))))

(defn- queries
  "As a cursor, because in JSON each of them has its keys in camel case."
  [states]
  {:status 200, :cursor (xio/->cursor (fn []) (map shown states)), :camel? true})

(defn active-queries
  "GET /active-queries"
  [{:keys [node]}]
  (queries (xt/active-queries node)))

(defn recent-queries
  "GET /recent-queries"
  [{:keys [node]}]
  (queries (xt/recent-queries node)))

(defn slowest-queries
  "GET /slowest-queries"
  [{:keys [node]}]
  (queries (xt/slowest-queries node)))
