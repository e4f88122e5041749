package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"
)

// Sign-in with Wardenry for net/http: copy this file into your application.

var (
	service  = Setting("WARDENRY_URL", "http://localhost:3000")
	appURL   = Setting("APP_URL", "http://127.0.0.1:4000")
	callback = appURL + "/sign-in/callback"
	secure   = strings.HasPrefix(appURL, "https:")
	// With __Host-, other hosts in the domain cannot set the cookies. Browsers accept the prefix only over HTTPS.
	prefix = map[bool]string{true: "__Host-"}[secure]
	// A redirect must not send the secret to another host.
	client = http.Client{Timeout: 5 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	token = regexp.MustCompile(`^ses_[\w-]{43}$`)
	// Accepts only local paths. Browsers treat // or /\ at the start of a URL as the start of a host name.
	local = regexp.MustCompile(`^/([!-.0-[\]-~][!-~]{0,998})?$`)
)

func Setting(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}

type User struct {
	ID       string `json:"id"`
	Email    string `json:"email"`
	Name     string `json:"name"`
	UserType string `json:"user_type"`
	// Those of the applications whose roles the user has.
	Permissions []string `json:"-"`
}

// Can reports whether the user has the permission. A user without roles has none.
func (user *User) Can(permission string) bool {
	if user == nil {
		return false
	}
	for _, own := range user.Permissions {
		if own == permission {
			return true
		}
	}
	return false
}

type reply struct {
	Success     bool
	Code        string
	SessionID   string `json:"session_id"`
	User        *User
	Permissions []string
	Session     struct{ Application string }
}

// ask returns an error if the service does not respond. Callers then return 503, because the session could still be
// valid.
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
	hasCode := answer.Code != "" && answer.Code != "BRIDGE_SECRET_REQUIRED"
	isRefusal := (sent.StatusCode == 400 || sent.StatusCode == 401) && hasCode
	if err == nil && !isRefusal && !(sent.StatusCode == 200 && answer.Success) {
		err = fmt.Errorf("Wardenry answered %d %s", sent.StatusCode, answer.Code)
	}
	return answer, err
}

// UserOf returns nil without an error if the visitor is not signed in.
func UserOf(r *http.Request) (*User, error) {
	session := tokenOf(r)
	if session == "" || isForeign(r) {
		return nil, nil
	}
	// Only with SESSION_BINDING does the service compare the user agent with the one at sign-in.
	agent := r.UserAgent()
	if len(agent) > 512 {
		agent = agent[:512]
	}
	visitor := map[string]string{"user_agent": agent, "compare": "user_agent"}
	answer, err := ask("/auth/bridge/validate", visitor, session)
	// Reject other applications' sessions. Otherwise, those applications could act as their users here.
	if err != nil || answer.Session.Application != appURL {
		return nil, err
	}
	if answer.User != nil {
		answer.User.Permissions = answer.Permissions
	}
	return answer.User, nil
}

// isForeign reports whether a page on another site sent a request that changes data.
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
		switch {
		case err != nil:
			Unavailable(w, r)
		case user != nil:
			handler(w, r, user)
		case r.Method == "GET" && isPage(r):
			http.Redirect(w, r, "/sign-in?return_to="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
		default:
			refuse(w, r, http.StatusUnauthorized, "Sign in, then submit the form again.")
		}
	}
}

// Unavailable responds with 503, because the service does not respond.
func Unavailable(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "1")
	refuse(w, r, http.StatusServiceUnavailable, "Sign-in is temporarily unavailable.")
}

// isPage reports whether the browser opens a page or submits a form, as opposed to a script requesting data.
func isPage(r *http.Request) bool {
	if mode := r.Header.Get("Sec-Fetch-Mode"); mode != "" {
		return mode == "navigate"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

func refuse(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	switch {
	case !isPage(r):
		http.Error(w, sentence, status)
	case status == http.StatusUnauthorized:
		page(w, status, sentence, "/sign-in?return_to="+url.QueryEscape(formPage(r)), "Sign in")
	default:
		page(w, status, sentence, formPage(r), "Back")
	}
}

// formPage returns the page whose form was submitted.
func formPage(r *http.Request) string {
	if strings.HasPrefix(r.Referer(), appURL+"/") {
		return localPath(r.Referer()[len(appURL):])
	}
	return "/"
}

// Routes adds /sign-in, /sign-in/callback and /sign-out.
func Routes(mux *http.ServeMux) {
	mux.HandleFunc("/sign-in", signIn)
	mux.HandleFunc("/sign-in/callback", handleCallback)
	mux.HandleFunc("/sign-out", signOut)
}

func signIn(w http.ResponseWriter, r *http.Request) {
	state, verifier := random(), random()
	sum := sha256.Sum256([]byte(verifier))
	query := url.Values{"return_to": {callback}, "state": {state}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}}
	path := localPath(r.URL.Query().Get("return_to"))
	setCookie(w, "wardenry_flow", state+"."+verifier+"."+url.QueryEscape(path), 600)
	http.Redirect(w, r, service+"/login?"+query.Encode(), http.StatusSeeOther)
}

func handleCallback(w http.ResponseWriter, r *http.Request) {
	query, flow := r.URL.Query(), strings.SplitN(cookieOf(r, "wardenry_flow"), ".", 3)
	if len(flow) < 3 || flow[0] == "" || subtle.ConstantTimeCompare([]byte(flow[0]), []byte(query.Get("state"))) != 1 {
		notice(w, http.StatusBadRequest, "This sign-in has expired or was started in another browser.")
		return
	}
	if failure := query.Get("error"); failure != "" {
		setCookie(w, "wardenry_flow", "", -1)
		sentence := "The sign-in failed."
		if failure == "access_denied" {
			sentence = "The sign-in was cancelled."
		}
		notice(w, http.StatusForbidden, sentence)
		return
	}
	if !useOnce(flow[0]) {
		notice(w, http.StatusBadRequest, "This sign-in has expired or was already used.")
		return
	}
	proof := map[string]string{"code": query.Get("code"), "code_verifier": flow[1], "return_to": callback}
	answer, err := ask("/auth/bridge/redeem", proof, "")
	if err != nil { // Release the state so that the browser can retry this URL.
		forget(flow[0])
		w.Header().Set("Retry-After", "1")
		notice(w, http.StatusServiceUnavailable, "Sign-in is temporarily unavailable.")
		return
	}
	setCookie(w, "wardenry_flow", "", -1)
	if !answer.Success {
		notice(w, http.StatusBadRequest, "This sign-in has expired or was already used.")
		return
	}
	// End the session that this browser had before.
	if before := tokenOf(r); before != "" && before != answer.SessionID {
		ask("/auth/logout?scope=application", nil, before)
	}
	setCookie(w, "wardenry_session", answer.SessionID, 30*24*60*60)
	path, _ := url.QueryUnescape(flow[2])
	http.Redirect(w, r, appURL+localPath(path), http.StatusSeeOther)
}

// The service treats code reuse as theft and ends the session. This list prevents reuse if a browser opens
// the callback twice. Each process has its own list.
var (
	usedMutex sync.Mutex
	used      = map[[32]byte]time.Time{}
)

const maxUsed = 4096

func useOnce(state string) bool {
	usedMutex.Lock()
	defer usedMutex.Unlock()
	key := sha256.Sum256([]byte(state)) // Hashed because the client controls the state's length.
	if _, known := used[key]; known {
		return false
	}
	oldest := key
	for other, at := range used {
		if time.Since(at) > 10*time.Minute {
			delete(used, other)
		} else if oldest == key || at.Before(used[oldest]) {
			oldest = other
		}
	}
	if len(used) >= maxUsed {
		delete(used, oldest)
	}
	used[key] = time.Now()
	return true
}

func forget(state string) {
	usedMutex.Lock()
	defer usedMutex.Unlock()
	delete(used, sha256.Sum256([]byte(state)))
}

func signOut(w http.ResponseWriter, r *http.Request) {
	if r.Method != "POST" || isForeign(r) {
		refuse(w, r, http.StatusForbidden, "This request came from a page of another site.")
		return
	}
	if session := tokenOf(r); session != "" {
		if _, err := ask("/auth/logout", nil, session); err != nil {
			Unavailable(w, r)
			return
		}
	}
	setCookie(w, "wardenry_session", "", -1)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

func notice(w http.ResponseWriter, status int, sentence string) {
	page(w, status, sentence, "/sign-in", "Sign in again")
}

func page(w http.ResponseWriter, status int, sentence, link, label string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<!doctype html><html lang="en"><title>Sign in</title><p>%s</p><a href="%s">%s</a>`,
		sentence, html.EscapeString(link), label)
}

func localPath(path string) string {
	if local.MatchString(path) {
		return path
	}
	return "/"
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

func tokenOf(r *http.Request) string {
	if value := cookieOf(r, "wardenry_session"); token.MatchString(value) {
		return value
	}
	return ""
}

func setCookie(w http.ResponseWriter, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: prefix + name, Value: value, MaxAge: age, Path: "/",
		HttpOnly: true, Secure: secure, SameSite: http.SameSiteLaxMode})
}
