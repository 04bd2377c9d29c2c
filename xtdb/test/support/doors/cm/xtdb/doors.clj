(ns cm.xtdb.doors
  "Several nodes in one process, for tests of a door's options: a process takes ten times as long to start as a node does.
  Each line of standard input is [NUMBER CONFIGURATION], which starts a node, or [NUMBER], which closes it. The answer has the
  number in front of what cm.xtdb.main says of a process: where it listens, or why it cannot start."
  (:require [clojure.edn :as edn]
            [cm.xtdb.door :as door]
            [cm.xtdb.main :as main]
            [xtdb.api :as xt])
  (:import (java.io Closeable)))

(def ^:private nodes (atom {}))

(defn- say [& words]
  (locking nodes
    (apply println words)
    (flush)))

(defn- start [number configuration]
  (try
    (let [node (xt/start-node (main/with-safe-defaults configuration))]
      (swap! nodes assoc number node)
      (say number "listening" (door/url (get @(:!system node) :cm.xtdb.door/server))))
    (catch Throwable e
      (say number "cannot start:" (#'main/sentence e)))))

(defn- stop [number]
  (.close ^Closeable (get @nodes number))
  (swap! nodes dissoc number)
  (say number "stopped"))

(defn -main []
  (loop []
    (when-let [line (read-line)]
      (let [[number configuration] (edn/read-string line)]
        (future (if configuration (start number configuration) (stop number))))
      (recur)))
  (.halt (Runtime/getRuntime) 0))
