(ns cm.xtdb.door.hang-up
  "Ends the work for a request when its client hangs up, its time is over or the door closes.

  XTDB looks at the interrupt flag of the thread that runs a query, so the work is ended by interrupting that thread.
  One thread looks at all requests. It reads from a connection while its request is being worked on: nobody else does,
  and -1 means that the client is gone. Should it ever meet a byte of a next request, that connection is closed after
  the present answer (HTTP allows it, the client sends the request again)."
  (:import (java.io IOException)
           (java.nio ByteBuffer)
           (java.nio.channels SocketChannel)
           (java.util.concurrent ConcurrentHashMap Executors ScheduledExecutorService ThreadFactory TimeUnit)))

(set! *warn-on-reflection* true)

(def ^:private look-every-ms 50)
;; Most requests are over before a look at their connection would pay.
(def ^:private grace-nanos 100000000)

(defprotocol Work
  (limit! [work ms] "Ends the work when `ms` milliseconds from now are over.")
  (reason [work] "Why the work was ended: :hang-up, :time-limit, :closing, or nil.")
  (close-after? [work] "Whether the connection has to be closed after the answer.")
  (look! [work])
  (end! [work why] "Interrupts the work.")
  (done! [work] "The work is over: no more looks, no more interrupts."))

(deftype RunningWork [^Thread thread ^SocketChannel channel ^long begun
                      ^:volatile-mutable deadline ^:volatile-mutable why
                      ^:volatile-mutable eager? ^:volatile-mutable finished?]
  Work
  (limit! [_ ms] (set! deadline (+ (System/nanoTime) (* 1000000 (long ms)))))
  (reason [_] why)
  (close-after? [_] eager?)
  (end! [this new-why]
    (locking this
      (when-not finished?
        (when-not why (set! why new-why))
        ;; Again at every look: code below the query may have swallowed an earlier interrupt.
        (.interrupt thread))))
  (look! [this]
    (locking this
      (when-not finished?
        (let [now (System/nanoTime)]
          (cond
            why (.interrupt thread)
            (and deadline (pos? (- now (long deadline)))) (end! this :time-limit)
            (and channel (not eager?) (< (long grace-nanos) (- now begun)))
            (let [n (try (.read channel (ByteBuffer/allocate 1)) (catch IOException _ -1))]
              (cond
                (neg? n) (end! this :hang-up)
                (pos? n) (set! eager? true))))))))
  (done! [this]
    (locking this
      (set! finished? true)
      (Thread/interrupted))))

(defprotocol Watch
  (begin! ^cm.xtdb.door.hang_up.RunningWork [watch channel] "Watches the work that the calling thread does for a connection.")
  (forget! [watch work]))

(deftype RunningWatch [^ConcurrentHashMap works ^ScheduledExecutorService looker]
  Watch
  (begin! [_ channel]
    (let [work (RunningWork. (Thread/currentThread) channel (System/nanoTime) nil nil false false)]
      (.put works work true)
      work))
  (forget! [_ work]
    (.remove works work)
    (done! work))
  java.io.Closeable
  (close [_]
    ;; Stores may only be closed once nobody reads them: RocksDB would crash the process.
    (while (do (run! #(end! % :closing) (.keySet works))
               (not (.isEmpty works)))
      (Thread/sleep 20))
    (.shutdownNow looker)))

(defn start
  "Starts to watch. Closing it ends all work and returns when none is left."
  ^java.io.Closeable []
  (let [looker (Executors/newSingleThreadScheduledExecutor
                (reify ThreadFactory
                  (newThread [_ task] (doto (Thread. task "door-watch") (.setDaemon true)))))
        works (ConcurrentHashMap.)]
    (.scheduleWithFixedDelay looker ^Runnable (fn [] (run! look! (.keySet works)))
                             look-every-ms look-every-ms TimeUnit/MILLISECONDS)
    (RunningWatch. works looker)))
