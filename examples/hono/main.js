import { serve } from '@hono/node-server'
import { createWardenry } from '@wardenry/server'
import { requireUser, routes } from '@wardenry/server/hono'
import { Hono } from 'hono'
import { html } from 'hono/html'

const { PORT = '4000', APP_URL = `http://127.0.0.1:${PORT}` } = process.env
const { WARDENRY_URL = 'http://localhost:3000', BRIDGE_SECRET } = process.env
const wardenry = createWardenry({ url: WARDENRY_URL, bridgeSecret: BRIDGE_SECRET, appUrl: APP_URL })

const app = new Hono()

// Handles /sign-in, /sign-in/callback and /sign-out.
app.use(routes(wardenry))

app.get('/', async (c) => {
  const user = await wardenry.userOf(c)
  if (!user) return c.html(html`<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>`)
  const form = html`<form method="post" action="/sign-out"><button>Sign out</button></form>`
  return c.html(html`<p>Hello ${user.email}</p>${form}`)
})

// Signed-out browsers are redirected to sign in and then return here. Other requests get 401.
app.get('/private', requireUser(wardenry), (c) => c.json({ email: c.get('user').email }))

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, () => console.log(`Open ${APP_URL}`))
