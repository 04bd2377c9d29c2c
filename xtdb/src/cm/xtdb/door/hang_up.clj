(ns cm.xtdb.door.hang-up
  "Ends the work for a request when its client hangs up, its time is over or the door closes.

  XTDB looks at the interrupt flag of the thread that runs a query, so the work is ended by interrupting that thread.
  One thread looks at all requests. It reads from a connection while its request is being worked on: no other thread
  does, and -1 means that the client is gone. If it reads a byte of a next request, that connection is closed after the
  present answer (HTTP allows it, the client sends the request again)."
  (:import (java.io Closeable IOException)
           (java.nio ByteBuffer)
           (java.nio.channels SocketChannel)
           (java.util.concurrent ConcurrentHashMap Executors ScheduledExecutorService ThreadFactory TimeUnit)))

(set! *warn-on-reflection* true)

(def ^:private look-every-ms 50)
;; Most requests are over before a look at their connection would pay.
(def ^:private grace-nanos 100000000)

(defprotocol Work
  (overrun-ms [work] "For how long the work has gone on since it should have ended; 0 where it may go on.")
  (limit! [work ms] "Ends the work when `ms` milliseconds from now are over.")
  (shield! [work shielded?] "While shielded the work is not interrupted: it looks at `reason` by itself, or cannot stop half way.")
  (reason [work] "Why the work was ended: :hang-up, :time-limit, :closing, or nil.")
  (close-after? [work] "Whether the connection has to be closed after the answer.")
  (look! [work])
  (end! [work why])
  (done! [work] "The work is over: no more looks, no more interrupts."))

(deftype RunningWork [^Thread thread ^SocketChannel channel ^long begun
                      ^:volatile-mutable deadline ^:volatile-mutable shielded ^:volatile-mutable why
                      ^:volatile-mutable ended ^:volatile-mutable next-came ^:volatile-mutable finished]
  Work
  (limit! [_ ms] (set! deadline (+ (System/nanoTime) (* 1000000 (long ms)))))
  (overrun-ms [_]
    (if (and why (not shielded) (not finished))
      (quot (- (System/nanoTime) (long ended)) 1000000)
      0))
  (shield! [_ shielded?]
    (set! ended (System/nanoTime))
    (set! shielded shielded?))
  (reason [_] why)
  (close-after? [_] next-came)
  (end! [this new-why]
    (locking this
      (when-not finished
        (when-not why
          (set! ended (System/nanoTime))
          (set! why new-why))
        ;; Again at every look: code below the query may have swallowed an earlier interrupt.
        (when-not shielded (.interrupt thread)))))
  (look! [this]
    (locking this
      (when-not finished
        (let [now (System/nanoTime)]
          (cond
            why (end! this why)
            (and deadline (pos? (- now (long deadline)))) (end! this :time-limit)
            (and channel (not next-came) (< (long grace-nanos) (- now begun)))
            (let [n (try (.read channel (ByteBuffer/allocate 1)) (catch IOException _ -1))]
              (cond
                (neg? n) (end! this :hang-up)
                (pos? n) (set! next-came true))))))))
  (done! [this]
    (locking this
      (set! finished true)
      (Thread/interrupted))))

(defprotocol Watch
  (begin! [watch channel] "Watches the work that the calling thread does, for a connection or nil. Nil when the door is closing.")
  (forget! [watch work]))

(deftype RunningWatch [^ConcurrentHashMap works ^ScheduledExecutorService looker ^:volatile-mutable closing]
  Watch
  (begin! [this channel]
    (let [work (RunningWork. (Thread/currentThread) channel (System/nanoTime) nil false nil nil false false)]
      ;; Put first: a door that closes between the two lines sees the work and waits for it.
      (.put works work true)
      (if closing
        (do (forget! this work) nil)
        work)))
  (forget! [_ work]
    (.remove works work)
    (done! work))
  Closeable
  (close [_]
    (set! closing true)
    ;; Stores may be closed only after the last read: RocksDB would crash the process.
    (while (do (run! #(end! % :closing) (.keySet works))
               (not (.isEmpty works)))
      (Thread/sleep 20))
    (.shutdownNow looker)))

(defn start
  "Starts to watch. Closing it ends all work and returns when none is left. `overrun!` is called when some work goes on
  for `overrun-ms-max` after it was ended: it runs code that looks at no interrupt, and nothing else can stop it."
  ^java.io.Closeable [overrun-ms-max overrun!]
  (let [looker (Executors/newSingleThreadScheduledExecutor
                (reify ThreadFactory
                  (newThread [_ task] (doto (Thread. task "door-watch") (.setDaemon true)))))
        works (ConcurrentHashMap.)]
    (.scheduleWithFixedDelay looker ^Runnable (fn []
                                                (run! look! (.keySet works))
                                                (when (some #(< (long overrun-ms-max) (long (overrun-ms %))) (.keySet works))
                                                  (overrun!)))
                             look-every-ms look-every-ms TimeUnit/MILLISECONDS)
    (RunningWatch. works looker false)))
