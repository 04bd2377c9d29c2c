(ns cm.xtdb.door.health
  "Whether the node lives, whether it is ready, and its figures: for supervisors, load balancers and Prometheus, who look
  at the status code. Reasons are sentences without content."
  (:require [cm.xtdb.door.figures :as figures]
            [xtdb.api :as xt]
            [xtdb.db :as db])
  (:import (java.io File)
           (java.lang.management ManagementFactory)
           (java.util.concurrent Semaphore)
           (java.util.concurrent.atomic AtomicLong)))

(set! *warn-on-reflection* true)

(defn- dead? [{:keys [node]}] (some? (db/ingester-error (:tx-ingester node))))

(defn- transactions
  "{:submitted :indexed :lag}; without :submitted and :lag when the log does not answer."
  [{:keys [node]}]
  (let [indexed (::xt/tx-id (xt/latest-completed-tx node))
        submitted (try {:id (::xt/tx-id (xt/latest-submitted-tx node))} (catch Exception _ nil))]
    (cond-> {:indexed indexed}
      submitted (assoc :submitted (:id submitted)
                       :lag (max 0 (- (long (or (:id submitted) -1)) (long (or indexed -1))))))))

(defn- free-bytes [{:keys [options]}]
  (into {} (for [folder (:folders options)] [folder (.getUsableSpace (File. ^String folder))])))

(defn- answer [reasons]
  {:status (if (seq reasons) 503 200)
   :text (if (seq reasons) (apply str (map #(str % "\n") reasons)) "ok\n")})

(defn- deaths [door]
  (when (dead? door)
    ["The node stopped indexing; restart it."]))

(defn lives
  "GET /healthz: 503 when only a new start can help."
  [door]
  (answer (deaths door)))

(defn ready
  "GET /readyz: 503 also while the node cannot be relied on: its log does not answer, its index is behind, a disk is full."
  [{:keys [options] :as door}]
  (let [{:keys [lag-max disk-free-bytes-min]} options
        {:keys [lag]} (transactions door)]
    (answer
     (concat (deaths door)
             (cond
               (nil? lag) ["The log of transactions does not answer."]
               (< (long lag-max) (long lag)) [(str "The index lacks " lag " transactions.")])
             (for [[folder free] (free-bytes door) :when (< (long free) (long disk-free-bytes-min))]
               (str "The disk of " folder " has only " free " bytes left."))))))

(def ^:private families
  (into {}
        (for [[name type help] [["cm_xtdb_ingester_failed" "gauge" "1 when the node stopped indexing for good."]
                                ["cm_xtdb_tx_submitted" "gauge" "Id of the newest transaction in the log."]
                                ["cm_xtdb_tx_indexed" "gauge" "Id of the newest transaction in the index."]
                                ["cm_xtdb_tx_lag" "gauge" "Difference of the two."]
                                ["cm_xtdb_tx_total" "counter" "Transactions that were indexed, by outcome."]
                                ["cm_xtdb_requests_total" "counter" "Requests that were answered."]
                                ["cm_xtdb_request_seconds_total" "counter" "Time that answers took."]
                                ["cm_xtdb_work_ended_total" "counter" "Work that was ended from outside, by reason."]
                                ["cm_xtdb_reading_allocated_bytes_total" "counter" "Memory that queries and readings took: how much they walked over."]
                                ["cm_xtdb_readings_running" "gauge" "Queries and readings under way."]
                                ["cm_xtdb_readings_max" "gauge" "How many may be."]
                                ["cm_xtdb_waits_running" "gauge" "Waits for transactions under way."]
                                ["cm_xtdb_body_bytes_held" "gauge" "Bytes of bodies that are held."]
                                ["cm_xtdb_disk_free_bytes" "gauge" "Room on the disk of a folder."]
                                ["cm_xtdb_heap_used_bytes" "gauge" "Heap in use."]
                                ["cm_xtdb_heap_max_bytes" "gauge" "Heap at most."]
                                ["cm_xtdb_threads" "gauge" "Threads of the process."]
                                ["cm_xtdb_up_seconds" "gauge" "Time since the start."]]]
          [name {:type type, :help help}])))

(defn- gauges [{:keys [options bodies ^Semaphore readings ^Semaphore waits] :as door}]
  (let [{:keys [submitted indexed lag]} (transactions door)
        heap (.getHeapMemoryUsage (ManagementFactory/getMemoryMXBean))
        {:keys [readings-max waits-max]} options]
    (concat
     [["cm_xtdb_ingester_failed" nil (if (dead? door) 1 0)]
      ["cm_xtdb_readings_running" nil (- (long readings-max) (.availablePermits readings))]
      ["cm_xtdb_readings_max" nil readings-max]
      ["cm_xtdb_waits_running" nil (- (long waits-max) (.availablePermits waits))]
      ["cm_xtdb_body_bytes_held" nil (.get ^AtomicLong (:held bodies))]
      ["cm_xtdb_heap_used_bytes" nil (.getUsed heap)]
      ["cm_xtdb_heap_max_bytes" nil (.getMax heap)]
      ["cm_xtdb_threads" nil (.getThreadCount (ManagementFactory/getThreadMXBean))]
      ["cm_xtdb_up_seconds" nil (/ (.getUptime (ManagementFactory/getRuntimeMXBean)) 1000.0)]]
     (for [[name value] [["cm_xtdb_tx_submitted" submitted] ["cm_xtdb_tx_indexed" indexed] ["cm_xtdb_tx_lag" lag]]
           :when value]
       [name nil value])
     (for [[folder free] (free-bytes door)] ["cm_xtdb_disk_free_bytes" {:folder folder} free]))))

(defn- in-seconds [[name labels n :as sample]]
  (if (= "cm_xtdb_request_seconds_total" name) [name labels (/ (double n) 1e9)] sample))

(defn metrics
  "GET /metrics, for Prometheus."
  [{:keys [counters] :as door}]
  {:status 200
   :type "text/plain; version=0.0.4; charset=utf-8"
   :text (figures/text families (concat (gauges door) (map in-seconds (figures/counted counters))))})

(defn count-transactions
  "Counts what is indexed from here on; closing it ends that."
  ^java.io.Closeable [node counters]
  (xt/listen node {::xt/event-type ::xt/indexed-tx, :with-tx-ops? false}
             (fn [{:keys [committed?]}]
               (figures/add! counters "cm_xtdb_tx_total" {:outcome (if committed? "committed" "aborted")} 1))))

(def endpoints
  "By path. Health is told to all that reach the door: it says nothing of what the node holds."
  {"/healthz" {:endpoint #'lives, :open? true}
   "/readyz" {:endpoint #'ready, :open? true}
   "/metrics" {:endpoint #'metrics, :open? false}})
