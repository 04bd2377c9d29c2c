(ns cm.xtdb.door.status
  (:require [xtdb.api :as xt]))

(defn status
  "GET /status: versions, stores and whether indexing goes on."
  [{:keys [node]}]
  {:status 200, :body (into {} (xt/status node)), :camel? true})
