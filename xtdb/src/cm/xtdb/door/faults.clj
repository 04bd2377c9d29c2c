(ns cm.xtdb.door.faults
  "What goes wrong, as an answer: {:status .. :body .. :camel? ..}. Never a stack trace, never content."
  (:require [clojure.tools.logging :as log])
  (:import (java.util.concurrent TimeoutException)
           (xtdb.api NodeOutOfSyncException)))

(set! *warn-on-reflection* true)

(defn refusal
  "An exception that stands for an answer made by the door itself."
  ([status body] (refusal status body nil))
  ([status body headers]
   (ex-info "refused" {::answer {:status status, :body body, :headers headers}})))

(defn malformed
  "400 for a body that cannot be read, in upstream's words."
  [media-type]
  (refusal 400 {:error (str "Malformed \"" media-type "\" request.")}))

(defn ill-typed
  "400 in the shape of upstream's parameter check. `place` is query-params or body-params.
  The value of a parameter is repeated, a body never."
  [place path predicate value]
  (refusal 400 {:spec (str "cm.xtdb.door/" place)
                :problems [{:path path, :pred predicate, :val value, :via [], :in path}]
                :type :reitit.coercion/request-coercion
                :coercion :spec
                :value (when (= "query-params" place) (if (seq path) {(peek path) value} {}))
                :in ["request" place]}))

(defn busy
  "503 for a request that finds no room."
  [sentence]
  (refusal 503 {:error sentence} {"Retry-After" "1"}))

(defn illegal
  "400 in the shape of XTDB's own IllegalArgumentException."
  [error-key message & {:as more}]
  (ex-info message {::answer {:status 400
                              :camel? true
                              :body (merge {:xtdb.error/error-type :illegal-argument
                                            :xtdb.error/error-key error-key
                                            :xtdb.error/message message}
                                           more)}}))

(defn exception-answer
  "Upstream's answer to an exception that it does not know."
  [class-name]
  {:status 500, :body {:type "exception", :class class-name}})

(defn timeout-answer [] (exception-answer (.getName TimeoutException)))

(defn- innermost ^Throwable [^Throwable e]
  (if-let [cause (and (instance? java.util.concurrent.ExecutionException e) (.getCause e))]
    (recur cause)
    e))

(defn answer
  "The answer for an exception. `where` names the endpoint, for the log."
  [where ^Throwable thrown]
  (let [e (innermost thrown)]
    (cond
      (::answer (ex-data e))
      (::answer (ex-data e))

      (or (instance? xtdb.IllegalArgumentException e) (instance? NodeOutOfSyncException e))
      {:status 400, :body (ex-data e), :camel? true}

      (instance? TimeoutException e)
      (timeout-answer)

      ;; XTDB compiles what :find computes; a name there that cannot be compiled is the query's fault.
      (instance? clojure.lang.Compiler$CompilerException e)
      {:status 400, :camel? true, :body {:xtdb.error/error-type :illegal-argument
                                         :xtdb.error/error-key :find-not-compilable
                                         :xtdb.error/message "An expression or a name in :find cannot be compiled"}}

      ;; The client stopped in the middle of its body, or sent one that is no HTTP.
      (instance? java.io.IOException e)
      {:status 400, :body {:error "The request could not be read to its end."}}

      :else
      (do (log/error "request failed:" where (.getName (class e)))
          (exception-answer (.getName (class e)))))))
