import { quoted, type Sample, type SampleTerms } from './sample.ts'

export const python: Sample = {
  machine: ({ issuer, clientId, scope, resource }) =>
    `# pip install authlib requests
import os

from authlib.integrations.requests_client import OAuth2Session

API = ${quoted(resource)}
session = OAuth2Session(${quoted(clientId)}, os.environ["CLIENT_SECRET"], scope=${quoted(scope)})


def get(url):
    if session.token is None or session.token["expires_at"] < time.time() + 60:
        session.fetch_token(${quoted(`${issuer}/oauth/token`)}, grant_type="client_credentials", resource=API)
    return session.get(url)


print(get(API).text)
`.replace('import os\n', 'import os\nimport time\n'),
  resource_server: (terms) => `${terms.isJwt ? withKeys(terms) : withIntrospection(terms)}

class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        try:
            claims = verify(token) if scheme.lower() == "bearer" else None
        except (JoseError, ValueError):
            claims = None
        self.send_response(200 if claims else 401)
        if not claims:
            self.send_header("WWW-Authenticate", "Bearer")
        self.end_headers()
        if claims:
            answer = {"client": claims["client_id"], "scopes": claims.get("scope", "").split()}
            self.wfile.write(json.dumps(answer).encode())


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Api).serve_forever()
`,
}

const withKeys = ({ issuer, resource, alg }: SampleTerms) => `# pip install authlib requests
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import requests
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.jose.errors import JoseError

jwt = JsonWebToken([${quoted(alg)}])
expected = {
    "iss": {"essential": True, "value": ${quoted(issuer)}},
    "aud": {"essential": True, "value": ${quoted(resource)}},
    "exp": {"essential": True},
}
keys, read_at = {}, 0


def key_for(header, _claims):
    """Reads the keys every hour, and at most once a minute if a key is unknown."""
    global keys, read_at
    if header.get("typ") != "at+jwt":
        raise ValueError("not an access token")
    age = time.time() - read_at
    if age > 3600 or (header.get("kid") not in keys and age > 60):
        published = requests.get(${quoted(`${issuer}/oauth/jwks`)}, timeout=5).json()["keys"]
        keys, read_at = {key["kid"]: JsonWebKey.import_key(key) for key in published}, time.time()
    if header.get("kid") not in keys:
        raise ValueError("unknown key")
    return keys[header["kid"]]


def verify(token):
    claims = jwt.decode(token, key_for, claims_options=expected)
    claims.validate()
    return claims

`

const withIntrospection = ({ issuer, clientId, resource }: SampleTerms) => `# pip install authlib requests
import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from authlib.integrations.requests_client import OAuth2Session
from authlib.jose.errors import JoseError

session = OAuth2Session(${quoted(clientId)}, os.environ["CLIENT_SECRET"])


def verify(token):
    claims = session.introspect_token(${quoted(`${issuer}/oauth/introspect`)}, token=token).json()
    return claims if claims.get("active") is True and claims.get("aud") == ${quoted(resource)} else None

`
