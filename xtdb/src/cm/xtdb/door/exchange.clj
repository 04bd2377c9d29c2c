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
  (:import (org.eclipse.jetty.http HttpFields)
           (org.eclipse.jetty.io EndPoint SocketChannelEndPoint)
           (org.eclipse.jetty.server Request Response)
           (org.eclipse.jetty.util Callback)))

(set! *warn-on-reflection* true)

(defn- channel [^Request request]
  (let [^EndPoint end-point (-> request .getConnectionMetaData .getConnection .getEndPoint)]
    (when (instance? SocketChannelEndPoint end-point)
      (.getChannel ^SocketChannelEndPoint end-point))))

(defn- ended-answer
  "The answer for work that was ended from outside, or nil when it was not; ::gone when nobody listens any more."
  [work]
  (case (hang-up/reason work)
    :time-limit (faults/timeout-answer)
    :closing (faults/exception-answer "java.lang.InterruptedException")
    :hang-up ::gone
    nil))

(defn- fault-answer [work path plain? thrown]
  (let [answer (or (ended-answer work) (faults/answer path thrown))]
    (cond-> answer (and plain? (map? answer)) (dissoc :camel?))))

(defn- serve
  "Runs an endpoint and sends what it says."
  [door {:keys [endpoint awaits?]} ^Request request ^Response response ^Callback callback]
  (let [{:keys [watch options]} door
        path (.getPath (.getHttpURI request))
        headers (.getHeaders request)
        type (formats/answer-type (.get ^HttpFields headers "Accept"))
        post? (= "POST" (.getMethod request))
        bytes (when post? (delay (body/read-bytes request (:request-bytes-max options))))
        body-fault (when post? (try @bytes nil (catch Exception e e)))
        work (hang-up/begin! watch (when-not (= "/_xtdb/submit-tx" path) (channel request)))
        done! #(hang-up/forget! watch work)
        send! #(answer/send! response % type work (:held-answer-bytes-max options) done! callback)]
    (try
      (send! (do (when body-fault (throw body-fault))
                 (let [asked {:node (:node door)
                              :waits (:waits door)
                              :options options
                              :work work
                              :post? post?
                              :parameters (parameters/parse (.getQuery (.getHttpURI request)))
                              :content-type (.get ^HttpFields headers "Content-Type")
                              :read-body #(deref bytes)}]
                   (when awaits? (waiting/await-parameters! asked))
                   (endpoint asked))))
      (catch Throwable e
        (if (::answer/broken-off (ex-data e))
          (log/warn "answer broken off:" path (or (hang-up/reason work) (.getName (class (ex-cause e)))))
          (let [fault (fault-answer work path (contains? routes/plain-error-keys path) e)]
            (done!)
            (cond
              (= ::gone fault) (do (log/info "client hung up:" path)
                                   (.failed callback e))
              (.isCommitted response) (.failed callback e)
              :else (send! fault)))))
      (finally (done!)))))

(defn- send-plain! [^Response response ^Callback callback ^Request request answer]
  (let [type (formats/answer-type (.get (.getHeaders request) "Accept"))]
    (answer/send! response answer type nil 65536 (fn []) callback)))

(defn handle
  "Answers a request. `door` is {:node :options :access :watch :waits}."
  [door ^Request request ^Response response ^Callback callback]
  (let [route (routes/find-route (.getPath (.getHttpURI request)) (.getMethod request))
        refused (access/refused (:access door) (.getHeaders request))]
    (cond
      refused (send-plain! response callback request refused)
      (= :no-path route) (send-plain! response callback request {:status 404, :empty? true})
      (= :no-method route) (send-plain! response callback request {:status 405, :empty? true})
      :else (serve door route request response callback)))
  true)
