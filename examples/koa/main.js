import { createWardenry } from '@wardenry/server'
import { requireUser, routes } from '@wardenry/server/koa'
import Koa from 'koa'

const { PORT = '4000', APP_URL = `http://127.0.0.1:${PORT}` } = process.env
const { WARDENRY_URL = 'http://localhost:3000', BRIDGE_SECRET } = process.env
const wardenry = createWardenry({ url: WARDENRY_URL, bridgeSecret: BRIDGE_SECRET, appUrl: APP_URL })

const app = new Koa()

// Handles /sign-in, /sign-in/callback and /sign-out.
app.use(routes(wardenry))

app.use(async (ctx, next) => {
  if (ctx.path !== '/') return next()
  const user = await wardenry.userOf(ctx)
  const form = '<form method="post" action="/sign-out"><button>Sign out</button></form>'
  ctx.type = 'html'
  ctx.body = user
    ? `<p>Hello ${escapeHtml(user.email)}</p>${form}`
    : '<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>'
})

// Signed-out browsers are redirected to sign in and then return here. Other requests get 401.
const signedIn = requireUser(wardenry)
app.use(async (ctx, next) => {
  if (ctx.path !== '/private') return next()
  await signedIn(ctx, async () => {
    ctx.body = { email: ctx.state.user.email }
  })
})

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Open ${APP_URL}`))

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
