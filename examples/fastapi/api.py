"""An API that accepts OAuth access tokens from Wardenry."""
import json
import os
import urllib.error
import urllib.request

from fastapi import Depends, FastAPI, HTTPException, Request

SERVICE, SECRET = os.environ.get('WARDENRY_URL', 'http://localhost:3000'), os.environ['BRIDGE_SECRET']
# The identifier of this API in Wardenry. Tokens for other APIs are rejected.
API = os.environ.get('API', 'https://api.example.com')

app = FastAPI()


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could send the bridge secret to another host."""
    def redirect_request(self, *_):
        return None


client = urllib.request.build_opener(NoRedirects)


def validate(token):
    """Returns what the service knows of the token, or None if it rejects the token."""
    body = json.dumps({'credential': token, 'accept': ['token'], 'resource': API}).encode()
    headers = {'Content-Type': 'application/json', 'X-Bridge-Secret': SECRET}
    request = urllib.request.Request(SERVICE + '/auth/bridge/validate', body, headers)
    try:
        with client.open(request, timeout=5) as reply:
            return json.load(reply)
    except urllib.error.HTTPError as rejection:
        with rejection:
            code = json.load(rejection).get('code') if rejection.code in (400, 401) else None
        if code in ('INVALID_CREDENTIAL', 'VALIDATION_ERROR'):
            return None
        raise


def require_token(*scopes):
    """Returns a dependency that accepts access tokens for this API that have all these scopes (RFC 6750)."""
    def refusal(status, detail, challenge):
        return HTTPException(status, detail, {'WWW-Authenticate': f'Bearer {challenge}'.strip()})

    def check(request: Request):
        scheme, _, token = request.headers.get('authorization', '').partition(' ')
        if scheme.lower() != 'bearer':
            raise refusal(401, 'An access token is required', '')
        try:
            credential = validate(token)
        except (OSError, ValueError, AttributeError) as failure:
            raise HTTPException(503, 'Tokens cannot be validated at present', {'Retry-After': '1'}) from failure
        if credential is None:
            raise refusal(401, 'The access token is not valid for this API', 'error="invalid_token"')
        if not set(scopes) <= set(credential['scopes']):
            scope = ' '.join(scopes)
            raise refusal(403, 'The access token lacks a scope', f'error="insufficient_scope", scope="{scope}"')
        return credential
    return check


@app.get('/invoices')
def invoices(credential=Depends(require_token('invoices:read'))):
    return {'invoices': [], 'client': credential['client']['id']}
