(ns cm.xtdb.door.access
  "Who may talk to the door. Everything here is asked before a byte of a body is read."
  (:require [clojure.string :as str])
  (:import (java.net InetAddress)
           (java.nio.charset StandardCharsets)
           (java.security MessageDigest)
           (org.eclipse.jetty.http HttpFields)))

(set! *warn-on-reflection* true)

(defn loopback?
  "Whether a host to bind is on this machine only. Names are resolved; every address must be loopback."
  [^String host]
  (and (not (str/blank? host))
       (every? #(.isLoopbackAddress ^InetAddress %) (InetAddress/getAllByName host))))

(defn- bytes-of ^bytes [^String text] (.getBytes text StandardCharsets/UTF_8))

(defn- right-token?
  "Digests are compared, so that neither content nor length of the token shows in the time it takes."
  [^String token ^String authorization]
  (let [digest #(.digest (MessageDigest/getInstance "SHA-256") (bytes-of %))
        [_ given] (some->> authorization (re-matches #"(?i)Bearer +(\S+) *"))]
    (and (MessageDigest/isEqual (digest token) (digest (or given "")))
         (some? given))))

(defn- host-name [^String host]
  (-> (or host "") (str/replace #":\d*$" "") str/lower-case (str/replace #"^\[(.*)\]$" "$1")))

(defn- local-name?
  "Whether a Host header names this machine. A page of another site that had its name point here would show that name."
  [^String host]
  (let [name (host-name host)]
    (or (contains? #{"localhost" "::1" "0:0:0:0:0:0:0:1"} name)
        (boolean (re-matches #"127\.\d{1,3}\.\d{1,3}\.\d{1,3}" name)))))

(defn refused
  "The answer for a request that may not be served, or nil."
  [{:keys [token local-only? allowed-hosts]} ^HttpFields headers]
  (cond
    (and local-only?
         (not (local-name? (.get headers "Host")))
         (not (contains? allowed-hosts (host-name (.get headers "Host")))))
    {:status 403, :body {:error "This node answers on loopback only: the Host header names another machine."}}

    ;; Browsers send one of these with what a page asks for, and none with what a person types.
    (or (.contains headers "Origin")
        (not (contains? #{nil "none"} (.get headers "Sec-Fetch-Site"))))
    {:status 403, :body {:error "Requests from web pages are refused."}}

    (and token (not (right-token? token (.get headers "Authorization"))))
    {:status 401, :headers {"WWW-Authenticate" "Bearer"}, :body {:error "A bearer token is required."}}))
