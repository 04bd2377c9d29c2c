(ns cm.xtdb.door.exchange
  "One request and its answer."
  (:require [clojure.tools.logging :as log]
            [cm.xtdb.door.access :as access]
            [cm.xtdb.door.answer :as answer]
            [cm.xtdb.door.body :as body]
            [cm.xtdb.door.faults :as faults]
            [cm.xtdb.door.formats :as formats]
            [cm.xtdb.door.hang-up :as hang-up]
            [cm.xtdb.door.parameters :as parameters]
            [cm.xtdb.door.routes :as routes]
            [cm.xtdb.door.waiting :as waiting])
  (:import (java.util.concurrent Semaphore)
           (org.eclipse.jetty.io EndPoint SocketChannelEndPoint)
           (org.eclipse.jetty.server Request Response)
           (org.eclipse.jetty.util Callback)))

(set! *warn-on-reflection* true)

(defn- channel [^Request request]
  (let [^EndPoint end-point (-> request .getConnectionMetaData .getConnection .getEndPoint)]
    (when (instance? SocketChannelEndPoint end-point)
      (.getChannel ^SocketChannelEndPoint end-point))))

(defn- ended-answer
  "The answer for work that was ended from outside, or nil if it was not; ::gone if the client has hung up."
  [work]
  (case (hang-up/reason work)
    :time-limit (faults/timeout-answer)
    :closing (faults/exception-answer "java.lang.InterruptedException")
    :hang-up ::gone
    nil))

(defn- fault-answer [work path plain? thrown]
  (let [answer (or (ended-answer work) (faults/answer path thrown))]
    (cond-> answer (and plain? (map? answer)) (dissoc :camel?))))

(defn- reading
  "Calls `f`, not for more requests at once than the door has room for."
  [^Semaphore readings f]
  (when-not (.tryAcquire readings)
    (throw (faults/busy "Too many queries run; try again.")))
  (try (f) (finally (.release readings))))

(defn- question
  "What an endpoint gets to see of a request."
  [door ^Request request work body]
  (assoc (select-keys door [:node :options :waits])
         :work work
         :post? (= "POST" (.getMethod request))
         :parameters (parameters/parse (.getQuery (.getHttpURI request)))
         :content-type (.get (.getHeaders request) "Content-Type")
         :body body))

(defn- serve
  "Runs an endpoint and sends what it says."
  [{:keys [readings] :as door} {:keys [endpoint awaits? reads?]} ^Request request work body send!]
  (let [asked (question door request work (body))
        answer #(send! (endpoint asked))]
    (when awaits? (waiting/await-parameters! asked))
    (if reads? (reading readings answer) (answer))))

(defn- give-up
  "Answers a request that failed."
  [path work ^Response response ^Callback callback send! thrown]
  (if (::answer/broken-off (ex-data thrown))
    (log/warn "answer broken off:" path (or (hang-up/reason work) (.getName (class (ex-cause thrown)))))
    (let [fault (fault-answer work path (contains? routes/plain-error-keys path) thrown)]
      (cond
        (= ::gone fault) (do (log/info "client hung up:" path)
                             (.failed callback thrown))
        (.isCommitted response) (.failed callback thrown)
        :else (send! fault)))))

(defn- read-body
  "A function that gives the body, or throws what was wrong with it."
  [^Request request {:keys [request-bytes-max]}]
  (try
    (let [body (when (= "POST" (.getMethod request)) (body/read-bytes request request-bytes-max))]
      (fn [] body))
    (catch Exception e
      (fn [] (throw e)))))

(defn- work-on
  "Serves a request under the eyes of the watch."
  [{:keys [watch options] :as door} route ^Request request ^Response response ^Callback callback]
  (let [path (.getPath (.getHttpURI request))
        submits? (= "/_xtdb/submit-tx" path)
        type (formats/answer-type (.get (.getHeaders request) "Accept"))
        ;; To its end before the connection is watched: the watch reads from it, too.
        body (read-body request options)
        work (hang-up/begin! watch (when-not submits? (channel request)))
        done! #(when work (hang-up/forget! watch work))
        send! #(answer/send! response % type work (:held-answer-bytes-max options) done! callback)]
    (if (nil? work)
      (send! {:status 503, :headers {"Connection" "close"}, :body {:error "The node is stopping."}})
      (try
        ;; A commit that was begun is finished: its client would not know otherwise.
        (when submits? (hang-up/shield! work true))
        (serve door route request work body send!)
        (catch Throwable e
          (give-up path work response callback send! e))
        (finally (done!))))))

(defn- send-plain! [^Response response ^Callback callback ^Request request answer]
  (let [type (formats/answer-type (.get (.getHeaders request) "Accept"))]
    (answer/send! response answer type nil 65536 (fn []) callback)))

(defn handle
  "Answers a request. `door` is {:node :options :access :watch :waits :readings}."
  [door ^Request request ^Response response ^Callback callback]
  (let [route (routes/find-route (.getPath (.getHttpURI request)) (.getMethod request))
        refused (access/refused (:access door) (.getHeaders request))]
    (cond
      refused (send-plain! response callback request refused)
      (= :no-path route) (send-plain! response callback request {:status 404, :empty? true})
      (= :no-method route) (send-plain! response callback request {:status 405, :empty? true})
      :else (work-on door route request response callback)))
  true)
