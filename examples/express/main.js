import { createWardenry } from '@wardenry/server'
import { requireUser, routes } from '@wardenry/server/express'
import express from 'express'

const { PORT = '4000', APP_URL = `http://127.0.0.1:${PORT}` } = process.env
const { WARDENRY_URL = 'http://localhost:3000', BRIDGE_SECRET } = process.env
const wardenry = createWardenry({ url: WARDENRY_URL, bridgeSecret: BRIDGE_SECRET, appUrl: APP_URL })

const app = express()

// Handles /sign-in, /sign-in/callback and /sign-out.
app.use(routes(wardenry))

app.get('/', async (request, reply) => {
  const user = await wardenry.userOf(request)
  if (!user) return reply.send('<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>')
  const form = '<form method="post" action="/sign-out"><button>Sign out</button></form>'
  reply.send(`<p>Hello ${escapeHtml(user.email)}</p>${form}`)
})

// Signed-out browsers are redirected to sign in and then return here. Other requests get 401.
app.get('/private', requireUser(wardenry), (request, reply) => {
  reply.json({ email: request.user?.email })
})

app.listen(Number(PORT), '127.0.0.1', () => console.log(`Open ${APP_URL}`))

const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
