(ns cm.xtdb.main
  "The process: reads its configuration, starts the node, says where it answers, stops cleanly."
  (:require [clojure.edn :as edn]
            [clojure.tools.logging :as log]
            [cm.xtdb.door :as door]
            [xtdb.api :as xt])
  (:import (java.io BufferedReader Closeable)
           (java.util.concurrent CountDownLatch TimeUnit))
  (:gen-class))

(set! *warn-on-reflection* true)

(def ^:private stop-ms-max 1800)

(defn- say [line]
  (println line)
  (flush))

(defn- read-configuration
  "From a file (-f FILE), else from the first line of standard input."
  [[option file] ^BufferedReader in]
  (edn/read-string (if (= "-f" option) (slurp file) (or (.readLine in) "nil"))))

(defn with-safe-defaults
  "Queries may call pure functions and entity-history, unless the configuration says otherwise."
  [configuration]
  (update-in configuration [:xtdb/query-engine :fn-allow-list] #(if (nil? %) '[xtdb.api/entity-history] %)))

(defn- causes [^Throwable e] (take-while some? (iterate ex-cause e)))

(defn- sentence
  "Why the node cannot start, in one sentence."
  [^Throwable e]
  (or (some (comp ::door/cannot-start ex-data) (causes e))
      (let [message (str (ex-message (last (causes e))))]
        (cond
          (re-find #"lock file|LOCK" message) "the data folder is in use by another process"
          (some #(instance? java.net.ConnectException %) (causes e)) "Postgres does not answer"
          :else (str (.getSimpleName (class (last (causes e)))) ": " (first (.split (str message " ") "\n")))))))

(defn- await-end-of-input
  "Standard input ends when the process that started this one is gone or wants it to stop."
  [^BufferedReader in ^CountDownLatch stop]
  (doto (Thread. ^Runnable (fn []
                             (while (.readLine in))
                             (.countDown stop))
                 "door-input")
    (.setDaemon true)
    (.start)))

(defn- close-in-time
  "Closes the node; ends the process without it when that takes too long. What was acknowledged is on disk already."
  [^Closeable node]
  (let [closed (future (.close node))]
    (when (= ::late (deref closed stop-ms-max ::late))
      (log/warn "the node took too long to stop")
      (.halt (Runtime/getRuntime) 0))))

(defn -main [& arguments]
  (let [in (BufferedReader. *in*)
        from-input? (not= "-f" (first arguments))
        stop (CountDownLatch. 1)
        stopped (CountDownLatch. 1)
        node (try
               (xt/start-node (with-safe-defaults (read-configuration arguments in)))
               (catch Throwable e
                 (log/debug e "cannot start")
                 (say (str "cannot start: " (sentence e)))
                 (.halt (Runtime/getRuntime) 1)))]
    (.addShutdownHook (Runtime/getRuntime)
                      (Thread. ^Runnable (fn []
                                           (.countDown stop)
                                           (.await stopped 2000 TimeUnit/MILLISECONDS))))
    (say (str "listening " (door/url (get @(:!system node) :cm.xtdb.door/server))))
    (when from-input? (await-end-of-input in stop))
    (.await stop)
    (close-in-time node)
    (.countDown stopped)
    (shutdown-agents)
    (.halt (Runtime/getRuntime) 0)))
