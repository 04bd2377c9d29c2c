(ns cm.xtdb.door.body
  "The body of a request, bounded in size and time. No thread waits for it, so that clients who send half a body, or a
  byte now and then, keep nothing but a connection."
  (:require [cm.xtdb.door.faults :as faults])
  (:import (java.io ByteArrayOutputStream IOException)
           (java.nio ByteBuffer)
           (java.util.concurrent Executors ScheduledExecutorService ScheduledFuture ThreadFactory TimeUnit)
           (java.util.concurrent.atomic AtomicBoolean AtomicLong)
           (org.eclipse.jetty.io Content$Chunk)
           (org.eclipse.jetty.server Request)))

(set! *warn-on-reflection* true)

(def ^:private closing {"Connection" "close"})

(defn- too-large [bytes-max]
  (faults/refusal 413 {:error (str "The body is larger than " bytes-max " bytes, the limit of this node.")} closing))

(defn- too-slow [ms]
  (faults/refusal 408 {:error (str "The body did not come to its end within " ms " ms.")} closing))

(defn- no-room []
  (faults/refusal 503 {:error "Too many bodies are being received; try again."} (assoc closing "Retry-After" "1")))

(defn start
  "What all bodies share: {:held :timer}."
  []
  {:held (AtomicLong.)
   :timer (Executors/newSingleThreadScheduledExecutor
           (reify ThreadFactory
             (newThread [_ task] (doto (Thread. task "door-bodies") (.setDaemon true)))))})

(defn close [{:keys [^ScheduledExecutorService timer]}] (.shutdownNow timer))

(defn- take-chunk!
  "Adds the bytes of a chunk; throws what is wrong with there being more of them."
  [^Content$Chunk chunk ^ByteArrayOutputStream out ^AtomicLong held {:keys [request-bytes-max bodies-bytes-max]}]
  (let [^ByteBuffer buffer (.getByteBuffer chunk)
        n (.remaining buffer)
        bytes (byte-array n)]
    (.get buffer bytes)
    (when (< (long request-bytes-max) (+ (.size out) n)) (throw (too-large request-bytes-max)))
    (.write out bytes 0 n)
    (when (< (long bodies-bytes-max) (.addAndGet held n)) (throw (no-room)))))

(defn receive!
  "Reads the body as it comes and calls `then` once, with a function that gives the bytes or throws what was wrong: 413
  for too many, 408 for too late, 503 where no more can be held. They count as held until `then` returns."
  [^Request request {:keys [request-bytes-max body-ms-max] :as limits} {:keys [^AtomicLong held ^ScheduledExecutorService timer]} then]
  (let [out (ByteArrayOutputStream.)
        settled (AtomicBoolean.)
        alarm (volatile! nil)
        settle! (fn [give]
                  (when (.compareAndSet settled false true)
                    (some-> ^ScheduledFuture @alarm (.cancel false))
                    (try
                      (then give)
                      (finally
                        (.addAndGet held (- (.size out)))))))
        failed! (fn [^Throwable e] (settle! #(throw e)))
        pump (fn pump []
               (let [chunk (try (.read request) (catch Throwable e (failed! e) nil))]
                 (cond
                   (.get settled) (some-> ^Content$Chunk chunk .release)
                   (nil? chunk) (.demand request ^Runnable pump)
                   (Content$Chunk/isFailure chunk) (failed! (IOException. "the body broke off"))
                   :else
                   (let [last? (.isLast ^Content$Chunk chunk)
                         wrong (try (take-chunk! chunk out held limits) nil
                                    (catch Throwable e e)
                                    (finally (.release ^Content$Chunk chunk)))]
                     (cond
                       wrong (failed! wrong)
                       last? (settle! #(.toByteArray out))
                       :else (recur))))))]
    (if (< (long request-bytes-max) (.getLength request))
      (failed! (too-large request-bytes-max))
      (do
        (vreset! alarm (.schedule timer ^Runnable (fn [] (failed! (too-slow body-ms-max)))
                                  (long body-ms-max) TimeUnit/MILLISECONDS))
        (pump)))))
