(ns cm.xtdb.main
  "The process: reads its configuration, starts the node, says where it answers, stops cleanly."
  (:require [clojure.edn :as edn]
            [clojure.tools.logging :as log]
            [cm.xtdb.door :as door]
            [xtdb.api :as xt])
  (:import (java.io BufferedReader Closeable InputStreamReader)
           (java.nio.charset StandardCharsets)
           (java.util.concurrent CountDownLatch))
  (:gen-class))

(set! *warn-on-reflection* true)

(def ^:private stop-ms-max 1800)

(defn- say [line]
  (println line)
  (flush))

(defn- cannot-start [sentence]
  (ex-info sentence {::door/cannot-start sentence}))

(defn- read-configuration
  "From a file (-f FILE), else from the first line of standard input. What cannot be read is not repeated: it may hold a password."
  [[option file] ^BufferedReader in]
  (let [text (if (= "-f" option) (slurp file) (.readLine in))
        configuration (try (some-> text edn/read-string) (catch RuntimeException _ nil))]
    (if (map? configuration)
      configuration
      (throw (cannot-start "the configuration is not an EDN map (one line on standard input, or -f FILE)")))))

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
  (let [in (BufferedReader. (InputStreamReader. System/in StandardCharsets/UTF_8))
        from-input? (not= "-f" (first arguments))
        stop (CountDownLatch. 1)
        node (try
               (xt/start-node (with-safe-defaults (read-configuration arguments in)))
               (catch Throwable e
                 (log/debug e "cannot start")
                 (say (str "cannot start: " (sentence e)))
                 (.halt (Runtime/getRuntime) 1)))]
    (.addShutdownHook (Runtime/getRuntime)
                      (Thread. ^Runnable (fn []
                                           (.countDown stop)
                                           ;; The main thread closes the node and ends the process; this is the last resort.
                                           ;; On a busy machine that thread may run long after its time is up.
                                           (Thread/sleep 10000)
                                           (.halt (Runtime/getRuntime) 1))))
    (say (str "listening " (door/url (get @(:!system node) :cm.xtdb.door/server))))
    (when from-input? (await-end-of-input in stop))
    (.await stop)
    (close-in-time node)
    (.halt (Runtime/getRuntime) 0)))
