(ns cm.xtdb.door.limits
  "Every limit on what comes from outside, with its unit last. Each is an option of the door; these are the defaults."
  (:require [xtdb.system :as sys]))

(set! *warn-on-reflection* true)

(def defaults
  {:request-bytes-max (* 64 1024 1024)
   ;; Jetty's own limit, as upstream's: request line and headers together.
   :request-header-bytes-max 8192
   ;; An answer up to this size is held back until it is complete, so that a failure can still be an error status.
   :held-answer-bytes-max (* 8 1024 1024)
   ;; How long a request may wait for a transaction when it does not say, and at most.
   :wait-ms 10000
   :wait-ms-max 60000
   ;; More waits at once than this are answered 503, so that waits cannot take every thread.
   :waits-max 128
   ;; Queries, histories and readings of the log at once; each holds a thread and up to a held answer of memory.
   :readings-max 48
   ;; How long a query, a history or a reading of the log may run.
   :query-ms-max 30000
   :threads-max 200
   :idle-ms-max 200000
   ;; From the head of a request to the end of its body.
   :body-ms-max 30000
   ;; Bodies that are held at once; beyond it a body is answered 503. A quarter of the heap.
   :bodies-bytes-max (max 1048576 (quot (.maxMemory (Runtime/getRuntime)) 4))
   ;; How long after its end a query may go on before the process ends: its thread could not be had back otherwise.
   :overrun-ms-max 15000
   ;; Transactions that the index may lack, and room that the folders must have, for a node that is ready.
   :lag-max 1000
   :disk-free-bytes-min (* 64 1024 1024)
   ;; How deep JSON and EDN from outside may nest: deeper input would exhaust the stack.
   :nesting-max 500})

(def arguments
  "The limits in the form that XTDB's system checks: a positive integer each."
  (into {} (for [[option value] defaults]
             [option {:doc "A limit of the door", :default value, :spec ::sys/pos-int}])))
