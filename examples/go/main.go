package main

import (
	"encoding/json"
	"fmt"
	"html"
	"log"
	"net/http"
)

func main() {
	Routes(http.DefaultServeMux) // /sign-in, /sign-in/callback and /sign-out

	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		user, err := UserOf(r)
		if err != nil {
			Unavailable(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if user == nil {
			fmt.Fprint(w, `<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>`)
			return
		}
		form := `<form method="post" action="/sign-out"><button>Sign out</button></form>`
		fmt.Fprintf(w, `<p>Hello %s</p>%s`, html.EscapeString(user.Email), form)
	})

	http.HandleFunc("/private", RequireUser(func(w http.ResponseWriter, r *http.Request, user *User) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"email": user.Email})
	}))

	http.HandleFunc("/invoices", RequireUser(func(w http.ResponseWriter, r *http.Request, user *User) {
		if !user.Can("invoices:read") {
			http.Error(w, "You cannot see invoices", http.StatusForbidden)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"invoices":[]}`)
	}))

	log.Fatal(http.ListenAndServe("127.0.0.1:"+Setting("PORT", "4000"), nil))
}
