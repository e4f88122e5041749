import html

from fastapi import Depends, FastAPI
from fastapi.responses import HTMLResponse

import wardenry

app = FastAPI()
app.include_router(wardenry.router)  # /sign-in, /sign-in/callback and /sign-out
app.add_exception_handler(wardenry.Refused, wardenry.show_refusal)  # Pages for browsers, JSON for scripts.


@app.get('/', response_class=HTMLResponse)
def home(user=Depends(wardenry.user_of)):
    if not user:
        return '<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>'
    form = '<form method="post" action="/sign-out"><button>Sign out</button></form>'
    return f'<p>Hello {html.escape(user["email"])}</p>{form}'


@app.get('/invoices')
def invoices(user=Depends(wardenry.require_user)):
    if not wardenry.can(user, 'invoices:read'):
        raise wardenry.Refused(403, 'You cannot see invoices')
    return {'invoices': []}


@app.get('/private')
def private(user=Depends(wardenry.require_user)):
    return {'email': user['email']}
