import { quoted, type Sample, type SampleTerms } from './sample.ts'

export const go: Sample = {
  machine: ({ issuer, clientId, scope, resource }) => `// go get golang.org/x/oauth2
package main

import (
	"context"
	"io"
	"log"
	"net/url"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

const api = ${quoted(resource)}

func main() {
	config := clientcredentials.Config{
		ClientID:       ${quoted(clientId)},
		ClientSecret:   os.Getenv("CLIENT_SECRET"),
		TokenURL:       ${quoted(`${issuer}/oauth/token`)},
		Scopes:         []string{${scope.split(' ').filter(Boolean).map(quoted).join(', ')}},
		EndpointParams: url.Values{"resource": {api}},
		AuthStyle:      oauth2.AuthStyleInHeader,
	}
	// The client gets a new token before the current one expires.
	client := config.Client(context.Background())
	reply, err := client.Get(api)
	if err != nil {
		log.Fatal(err)
	}
	defer reply.Body.Close()
	io.Copy(os.Stdout, reply.Body)
}
`,
  resource_server: (terms) => `${terms.isJwt ? withKeys(terms) : withIntrospection(terms)}
func main() {
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		header := r.Header.Get("Authorization")
		if len(header) < 7 || !strings.EqualFold(header[:7], "Bearer ") {
			header = "Bearer "
		}
		claims, err := verify(r.Context(), header[7:])
		if err != nil {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{"client": claims.Client, "scopes": strings.Fields(claims.Scope)})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
`,
}

const withKeys = ({ issuer, resource, alg }: SampleTerms) => `// go get github.com/coreos/go-oidc/v3/oidc
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

type claimSet struct {
	Client string \`json:"client_id"\`
	Scope  string \`json:"scope"\`
}

var verifier = oidc.NewVerifier(${quoted(issuer)},
	oidc.NewRemoteKeySet(context.Background(), ${quoted(`${issuer}/oauth/jwks`)}),
	&oidc.Config{ClientID: ${quoted(resource)}, SupportedSigningAlgs: []string{${quoted(alg)}}})

func verify(ctx context.Context, text string) (claims claimSet, err error) {
	token, err := verifier.Verify(ctx, text)
	if err == nil {
		err = token.Claims(&claims)
	}
	return claims, err
}
`

const withIntrospection = ({ issuer, clientId, resource }: SampleTerms) => `package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
)

type claimSet struct {
	Active   bool   \`json:"active"\`
	Audience string \`json:"aud"\`
	Client   string \`json:"client_id"\`
	Scope    string \`json:"scope"\`
}

func verify(ctx context.Context, text string) (claims claimSet, err error) {
	form := strings.NewReader(url.Values{"token": {text}}.Encode())
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, ${quoted(`${issuer}/oauth/introspect`)}, form)
	if err != nil {
		return claims, err
	}
	request.SetBasicAuth(${quoted(clientId)}, os.Getenv("CLIENT_SECRET"))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return claims, err
	}
	defer reply.Body.Close()
	err = json.NewDecoder(reply.Body).Decode(&claims)
	if err == nil && (!claims.Active || claims.Audience != ${quoted(resource)}) {
		err = errors.New("the token is not valid here")
	}
	return claims, err
}
`
