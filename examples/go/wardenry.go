package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// Sign-in with Wardenry for net/http: copy this file into your application.

var (
	service, appURL = os.Getenv("WARDENRY_URL"), os.Getenv("APP_URL")
	callback        = appURL + "/sign-in/callback"
	secure          = strings.HasPrefix(appURL, "https:")
	prefix          = map[bool]string{true: "__Host-"}[secure]
	client          = http.Client{Timeout: 5 * time.Second}
	local           = regexp.MustCompile(`^/(\w[\w/-]*)?$`)
)

type User struct {
	ID       string `json:"id"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	UserType string `json:"user_type"`
}

type reply struct {
	Success   bool
	Code      string
	SessionID string `json:"session_id"`
	User      *User
	Session   struct{ Application string }
}

// ask gives an error when the service gives no reply of its own: then nobody knows who is signed in, and that is 503.
func ask(path string, body map[string]string, session string) (answer reply, err error) {
	text, _ := json.Marshal(body)
	if body == nil {
		text = []byte("{}")
	}
	request, _ := http.NewRequest("POST", service+path, bytes.NewReader(text))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Bridge-Secret", os.Getenv("BRIDGE_SECRET"))
	request.Header.Set("X-Session-ID", session)
	sent, err := client.Do(request)
	if err != nil {
		return answer, err
	}
	defer sent.Body.Close()
	err = json.NewDecoder(sent.Body).Decode(&answer)
	isRefusal := (sent.StatusCode == 400 || sent.StatusCode == 401) && answer.Code != "BRIDGE_SECRET_REQUIRED"
	if err == nil && !answer.Success && !isRefusal {
		err = fmt.Errorf("Wardenry answered %d %s", sent.StatusCode, answer.Code)
	}
	return answer, err
}

// UserOf gives nil without an error when nobody is signed in.
func UserOf(r *http.Request) (*User, error) {
	session := cookieOf(r, "wardenry_session")
	if session == "" || isForeign(r) {
		return nil, nil
	}
	answer, err := ask("/auth/bridge/validate", nil, session)
	// The session of another application must not sign in here.
	if err != nil || answer.Session.Application != appURL {
		return nil, err
	}
	return answer.User, nil
}

// isForeign says whether a page of another site sends a change with our cookie.
func isForeign(r *http.Request) bool {
	if r.Method == "GET" || r.Method == "HEAD" || r.Method == "OPTIONS" {
		return false
	}
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	if site != "" {
		return site != "same-origin" && site != "none"
	}
	return origin != "" && origin != appURL
}

func RequireUser(handler func(http.ResponseWriter, *http.Request, *User)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, err := UserOf(r)
		isPage := r.Method == "GET" && strings.Contains(r.Header.Get("Accept"), "text/html")
		switch {
		case err != nil:
			http.Error(w, "Sign-in is temporarily unavailable", http.StatusServiceUnavailable)
		case user != nil:
			handler(w, r, user)
		case isPage:
			http.Redirect(w, r, "/sign-in?return_to="+url.QueryEscape(r.URL.Path), http.StatusSeeOther)
		default:
			http.Error(w, "Sign in to continue", http.StatusUnauthorized)
		}
	}
}

// Routes adds /sign-in, /sign-in/callback and /sign-out.
func Routes(mux *http.ServeMux) {
	mux.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		state, verifier := random(), random()
		sum := sha256.Sum256([]byte(verifier))
		query := url.Values{"return_to": {callback}, "state": {state}, "code_challenge_method": {"S256"},
			"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}}
		setCookie(w, "wardenry_flow", state+"."+verifier+"."+url.QueryEscape(r.FormValue("return_to")), 600)
		http.Redirect(w, r, service+"/login?"+query.Encode(), http.StatusSeeOther)
	})
	mux.HandleFunc("/sign-in/callback", func(w http.ResponseWriter, r *http.Request) {
		flow := strings.SplitN(cookieOf(r, "wardenry_flow")+"..", ".", 3)
		isOurs := flow[0] != "" && subtle.ConstantTimeCompare([]byte(flow[0]), []byte(r.FormValue("state"))) == 1
		if !isOurs {
			http.Error(w, "This sign-in has expired or was started in another browser", http.StatusBadRequest)
			return
		}
		proof := map[string]string{"code": r.FormValue("code"), "code_verifier": flow[1], "return_to": callback}
		answer, err := ask("/auth/bridge/redeem", proof, "")
		if err != nil {
			http.Error(w, "Sign-in is temporarily unavailable", http.StatusServiceUnavailable)
			return
		}
		setCookie(w, "wardenry_flow", "", -1)
		if !answer.Success {
			http.Error(w, "This sign-in has expired or was already used", http.StatusBadRequest)
			return
		}
		setCookie(w, "wardenry_session", answer.SessionID, 30*24*60*60)
		path, _ := url.QueryUnescape(strings.TrimRight(flow[2], "."))
		if !local.MatchString(path) {
			path = "/"
		}
		http.Redirect(w, r, path, http.StatusSeeOther)
	})
	mux.HandleFunc("/sign-out", func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		if r.Method != "POST" || (site != "" && site != "same-origin") {
			http.Error(w, "This request came from a page of another site", http.StatusForbidden)
			return
		}
		if _, err := ask("/auth/logout", nil, cookieOf(r, "wardenry_session")); err != nil {
			http.Error(w, "Sign-in is temporarily unavailable", http.StatusServiceUnavailable)
			return
		}
		setCookie(w, "wardenry_session", "", -1)
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
}

func random() string {
	bytes := make([]byte, 32)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(bytes)
}

func cookieOf(r *http.Request, name string) string {
	if cookie, err := r.Cookie(prefix + name); err == nil {
		return cookie.Value
	}
	return ""
}

func setCookie(w http.ResponseWriter, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: prefix + name, Value: value, MaxAge: age, Path: "/",
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode})
}
