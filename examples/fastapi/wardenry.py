"""Sign-in with Wardenry for FastAPI: copy this file into your application."""
import base64, hashlib, json, os, re, secrets, urllib.parse, urllib.request
from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import RedirectResponse

SERVICE, SECRET = os.environ.get('WARDENRY_URL', 'http://localhost:3000'), os.environ['BRIDGE_SECRET']
APP_URL = os.environ.get('APP_URL', 'http://127.0.0.1:4000')
CALLBACK, SECURE = APP_URL + '/sign-in/callback', APP_URL.startswith('https:')
SESSION, FLOW = (('__Host-' if SECURE else '') + name for name in ('wardenry_session', 'wardenry_flow'))
router = APIRouter()


def ask(path, body, more={}):
    """The reply of the service, or None when it refuses. No reply is no refusal: nobody knows, and that is 503."""
    headers = {'Content-Type': 'application/json', 'X-Bridge-Secret': SECRET, **more}
    try:
        request = urllib.request.Request(SERVICE + path, json.dumps(body).encode(), headers)
        return json.load(urllib.request.urlopen(request, timeout=5))
    except (OSError, ValueError) as error:
        code = json.load(error).get('code') if getattr(error, 'code', 0) in (400, 401) else None
        if code in (None, 'BRIDGE_SECRET_REQUIRED'):
            raise HTTPException(503, 'Sign-in is temporarily unavailable')

def user_of(request: Request):
    token = request.cookies.get(SESSION)
    reply = token and not is_foreign(request) and ask('/auth/bridge/validate', {'session_id': token}) or {}
    # The session of another application must not sign in here.
    return reply.get('user') if reply.get('session', {}).get('application') == APP_URL else None

def is_foreign(request: Request):
    """Whether a page of another site sends a change with our cookie."""
    site, origin = request.headers.get('sec-fetch-site'), request.headers.get('origin')
    is_own = site in ('same-origin', 'none') if site else origin in (None, APP_URL)
    return request.method not in ('GET', 'HEAD', 'OPTIONS') and not is_own

def require_user(request: Request):
    if user := user_of(request):
        return user
    is_page = request.method == 'GET' and 'text/html' in request.headers.get('accept', '')
    query = urllib.parse.urlencode({'return_to': request.url.path})
    raise HTTPException(303 if is_page else 401, 'Sign in to continue', {'Location': f'/sign-in?{query}'} if is_page else {})

@router.get('/sign-in')
def sign_in(return_to: str = '/'):
    state, verifier = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b'=').decode()
    query = {'return_to': CALLBACK, 'state': state, 'code_challenge': challenge, 'code_challenge_method': 'S256'}
    page = f'{SERVICE}/login?{urllib.parse.urlencode(query)}'
    return set_cookie(RedirectResponse(page, 303), FLOW, f'{state}.{verifier}.{urllib.parse.quote(return_to)}', 600)

@router.get('/sign-in/callback')
def callback(request: Request, state: str = '', code: str = ''):
    known, verifier, path = (request.cookies.get(FLOW, '') + '..').split('.', 2)
    proof = {'code': code, 'code_verifier': verifier, 'return_to': CALLBACK}
    is_ours = known and secrets.compare_digest(known.encode(), state.encode())
    if not is_ours or not (session := ask('/auth/bridge/redeem', proof)):
        raise HTTPException(400, 'This sign-in has expired or was started in another browser')
    local = re.match(r'/(\w[\w/-]*)?', path)  # a path of this application, and no other address
    reply = set_cookie(RedirectResponse(local[0] if local else '/', 303), FLOW, '', 0)
    return set_cookie(reply, SESSION, session['session_id'], 30 * 24 * 60 * 60)

@router.post('/sign-out')
def sign_out(request: Request):
    if request.headers.get('sec-fetch-site', 'same-origin') != 'same-origin':
        raise HTTPException(403, 'This request came from a page of another site')
    ask('/auth/logout', {}, {'X-Session-ID': request.cookies.get(SESSION, '')})
    return set_cookie(RedirectResponse('/', 303), SESSION, '', 0)

def set_cookie(reply, name, value, age):
    reply.set_cookie(name, value, max_age=age, httponly=True, samesite='lax', secure=SECURE)
    return reply
