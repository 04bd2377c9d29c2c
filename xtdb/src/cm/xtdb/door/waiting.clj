(ns cm.xtdb.door.waiting
  "Waits for transactions: always bounded, and never so many that no thread is left for other requests."
  (:require [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.parameters :as parameters]
            [xtdb.api :as xt])
  (:import (java.time Duration)
           (java.util.concurrent Semaphore TimeoutException)))

(set! *warn-on-reflection* true)

(def ^:private slice-ms 250)

(defn wait-ms
  "How long to wait: what was asked for, at most the limit; the default when nothing was."
  [{:keys [wait-ms wait-ms-max]} asked-ms]
  (min (or asked-ms wait-ms) wait-ms-max))

(defn- in-slices
  "Calls (await-once Duration) until it returns, in slices so short that a client that hung up frees its thread soon.
  The wait is not interrupted: XTDB would keep a listener for every interrupted wait."
  [work timeout-ms await-once]
  (let [deadline (+ (System/nanoTime) (* 1000000 (long timeout-ms)))]
    (loop []
      (let [left-ms (quot (- deadline (System/nanoTime)) 1000000)
            last? (<= left-ms slice-ms)
            result (try
                     (await-once (Duration/ofMillis (max 0 (min left-ms slice-ms))))
                     (catch TimeoutException e
                       (if (or last? (hang-up/reason work)) (throw e) ::not-yet)))]
        (if (= ::not-yet result) (recur) result)))))

(defn- waiting [{:keys [^Semaphore waits work]} timeout-ms await-once]
  (when-not (.tryAcquire waits)
    (throw (faults/busy "Too many requests wait for transactions; try again.")))
  (try
    (hang-up/shield! work true)
    (in-slices work timeout-ms await-once)
    (finally
      (hang-up/shield! work false)
      (.release waits))))

(defn- reached? [latest k awaited]
  (and latest (not (neg? (compare (get latest k) awaited)))))

(defn await-tx
  "The latest indexed transaction, at or past `tx`, or a TimeoutException."
  [{:keys [node] :as request} tx timeout-ms]
  (let [latest (xt/latest-completed-tx node)]
    (if (reached? latest ::xt/tx-id (::xt/tx-id tx))
      latest
      (waiting request timeout-ms #(xt/await-tx node tx %)))))

(defn await-tx-time
  "The time of the latest indexed transaction, at or past `tx-time`, or a TimeoutException."
  [{:keys [node] :as request} tx-time timeout-ms]
  (let [latest (xt/latest-completed-tx node)]
    (if (reached? latest ::xt/tx-time tx-time)
      (::xt/tx-time latest)
      (waiting request timeout-ms #(xt/await-tx-time node tx-time %)))))

(defn await-parameters!
  "Waits for what await-tx-id, await-tx-time and await-tx-timeout ask for."
  [{:keys [parameters options] :as request}]
  (let [tx-id (parameters/integer parameters "await-tx-id")
        tx-time (parameters/date parameters "await-tx-time")
        timeout-ms (wait-ms options (parameters/milliseconds parameters "await-tx-timeout"))]
    (when tx-id (await-tx request {::xt/tx-id tx-id} timeout-ms))
    (when tx-time (await-tx-time request tx-time timeout-ms))))
