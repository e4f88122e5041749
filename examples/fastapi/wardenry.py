"""Sign-in with Wardenry for FastAPI: copy this file into your application."""
import base64, contextlib, hashlib, html, http.client, json, os, re, secrets, threading, time
import urllib.parse, urllib.request
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse

SERVICE, SECRET = os.environ.get('WARDENRY_URL', 'http://localhost:3000'), os.environ['BRIDGE_SECRET']
APP_URL = os.environ.get('APP_URL', 'http://127.0.0.1:4000')
CALLBACK, SECURE = APP_URL + '/sign-in/callback', APP_URL.startswith('https:')
# With __Host-, other hosts in the domain cannot set the cookies. Browsers accept the prefix only over HTTPS.
SESSION, FLOW = (('__Host-' if SECURE else '') + name for name in ('wardenry_session', 'wardenry_flow'))
router = APIRouter()


class Refused(HTTPException):
    """A request that this file rejects. show_refusal returns the response."""


class AsItIs(urllib.request.HTTPErrorProcessor):
    """Returns error responses instead of raising, and does not follow redirects, which could leak the secret."""
    def http_response(self, request, response):
        return response
    https_response = http_response

client = urllib.request.build_opener(AsItIs)

def ask(path, body, more={}):
    """Returns None if the service rejects the request. Raises 503 if it does not respond."""
    headers = {'Content-Type': 'application/json', 'X-Bridge-Secret': SECRET, **more}
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError, http.client.HTTPException):
        request = urllib.request.Request(SERVICE + path, json.dumps(body).encode(), headers)
        with client.open(request, timeout=5) as reply:
            answer = json.load(reply)
            if reply.status == 200 and answer['success'] is True:
                return answer
            if reply.status in (400, 401) and answer['code'] != 'BRIDGE_SECRET_REQUIRED':
                return None
    raise Refused(503, 'Sign-in is temporarily unavailable', {'Retry-After': '1'})

def token_of(request: Request):
    token = request.cookies.get(SESSION, '')
    return token if re.fullmatch('ses_[A-Za-z0-9_-]{43}', token) else None

def user_of(request: Request):
    token = token_of(request)
    # Only with SESSION_BINDING does the service compare the user agent with the one at sign-in.
    visitor = {'user_agent': request.headers.get('user-agent', '')[:512], 'compare': 'user_agent'}
    body = {'session_id': token, **visitor}
    reply = token and not is_foreign(request) and ask('/auth/bridge/validate', body) or {}
    # Reject other applications' sessions. Otherwise, those applications could act as their users here.
    if reply.get('session', {}).get('application') != APP_URL:
        return None
    return {**reply['user'], 'permissions': reply.get('permissions', [])}

def can(user, permission):
    """Reports whether the user has the permission. A user without roles has none."""
    return user is not None and permission in user['permissions']

def is_foreign(request: Request):
    """Reports whether a page on another site sent a request that changes data."""
    site, origin = request.headers.get('sec-fetch-site'), request.headers.get('origin')
    is_own = site in ('same-origin', 'none') if site else origin in (None, APP_URL)
    return request.method not in ('GET', 'HEAD', 'OPTIONS') and not is_own

def require_user(request: Request):
    if user := user_of(request):
        return user
    if request.method != 'GET' or not is_page(request):
        raise Refused(401, 'Sign in to continue')
    target = urllib.parse.quote(request.scope['path']) + '?' + request.scope['query_string'].decode('latin-1')
    query = urllib.parse.urlencode({'return_to': target.rstrip('?')})
    raise HTTPException(303, 'Sign in to continue', {'Location': f'/sign-in?{query}'})

def is_page(request: Request):
    """Reports whether the browser opens a page or submits a form, as opposed to a script requesting data."""
    mode = request.headers.get('sec-fetch-mode')
    return mode == 'navigate' if mode else 'text/html' in request.headers.get('accept', '')

def show_refusal(request: Request, refusal: Refused):
    if not is_page(request):
        return JSONResponse({'detail': refusal.detail}, refusal.status_code, refusal.headers)
    if refusal.status_code == 401:
        query = urllib.parse.urlencode({'return_to': form_page(request)})
        return notice(401, 'Sign in, then submit the form again.', f'/sign-in?{query}', 'Sign in')
    return notice(refusal.status_code, f'{refusal.detail}.', form_page(request), 'Back')

def form_page(request: Request):
    """The page whose form was submitted."""
    referer = request.headers.get('referer', '')
    return local_path(referer[len(APP_URL):]) if referer.startswith(APP_URL + '/') else '/'

@router.get('/sign-in')
def sign_in(return_to: str = '/'):
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b'=').decode()
    query = {'return_to': CALLBACK, 'state': state, 'code_challenge': challenge, 'code_challenge_method': 'S256'}
    page = f'{SERVICE}/login?{urllib.parse.urlencode(query)}'
    flow = f'{state}.{verifier}.{urllib.parse.quote(local_path(return_to))}'
    return set_cookie(RedirectResponse(page, 303), FLOW, flow, 600)

@router.get('/sign-in/callback')
def callback(request: Request, state: str = '', code: str = '', error: str = ''):
    known, verifier, path = (request.cookies.get(FLOW, '').split('.', 2) + ['', ''])[:3]
    if not known or not secrets.compare_digest(known.encode(), state.encode()):
        return notice(400, 'This sign-in has expired or was started in another browser.')
    if error:
        cancelled = error == 'access_denied'
        return end_flow(notice(403, 'The sign-in was cancelled.' if cancelled else 'The sign-in failed.'))
    if not use_once(known):
        return notice(400, 'This sign-in has expired or was already used.')
    try:
        session = ask('/auth/bridge/redeem', {'code': code, 'code_verifier': verifier, 'return_to': CALLBACK})
    except HTTPException as failure:  # Release the state so that the browser can retry this URL.
        used.pop(key_of(known), None)
        return notice(failure.status_code, f'{failure.detail}.')
    if not session:
        return end_flow(notice(400, 'This sign-in has expired or was already used.'))
    # End the session that this browser had before.
    if (before := token_of(request)) and before != session['session_id']:
        with contextlib.suppress(HTTPException):
            ask('/auth/logout?scope=application', {}, {'X-Session-ID': before})
    reply = end_flow(RedirectResponse(APP_URL + local_path(urllib.parse.unquote(path)), 303))
    return set_cookie(reply, SESSION, session['session_id'], 30 * 24 * 60 * 60)

# The service treats code reuse as theft and ends the session. This list prevents reuse if a browser opens
# the callback twice. Each process has its own list.
used, used_lock = {}, threading.Lock()

def use_once(state):
    now = time.monotonic()
    with used_lock:
        if key_of(state) in used:
            return False
        while used and (len(used) >= 4096 or used[next(iter(used))] < now - 600):
            del used[next(iter(used))]
        used[key_of(state)] = now
        return True

def key_of(state):
    """Hashes the state, because the client controls its length."""
    return hashlib.sha256(state.encode()).digest()

@router.post('/sign-out')
def sign_out(request: Request):
    if is_foreign(request):
        raise Refused(403, 'This request came from a page of another site')
    if token := token_of(request):
        ask('/auth/logout', {}, {'X-Session-ID': token})
    return set_cookie(RedirectResponse('/', 303), SESSION, '', 0)

def local_path(path):
    r"""Accepts only local paths. Browsers treat // or /\ at the start of a URL as the start of a host name."""
    return path if re.fullmatch(r'/(?![/\\])[!-~]{0,999}', path) else '/'

def notice(status, sentence, link='/sign-in', label='Sign in again'):
    anchor = f'<a href="{html.escape(link)}">{label}</a>'
    text = f'<!doctype html><html lang="en"><title>Sign in</title><p>{sentence}</p>{anchor}'
    headers = {'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer'}
    return HTMLResponse(text, status, headers | ({'Retry-After': '1'} if status == 503 else {}))

def end_flow(reply):
    return set_cookie(reply, FLOW, '', 0)

def set_cookie(reply, name, value, age):
    reply.set_cookie(name, value, max_age=age, httponly=True, samesite='lax', secure=SECURE)
    return reply
