import { createWardenry } from '@wardenry/server'
import { requireUser, routes } from '@wardenry/server/fastify'
import { fastify } from 'fastify'

const { PORT = '4000', APP_URL = `http://127.0.0.1:${PORT}` } = process.env
const { WARDENRY_URL = 'http://localhost:3000', BRIDGE_SECRET } = process.env
const wardenry = createWardenry({ url: WARDENRY_URL, bridgeSecret: BRIDGE_SECRET, appUrl: APP_URL })

const app = fastify()

// Handles /sign-in, /sign-in/callback and /sign-out. Hooks run before routing, so these paths need no routes.
app.addHook('onRequest', routes(wardenry))

app.get('/', async (request, reply) => {
  const user = await wardenry.userOf(request)
  reply.type('text/html; charset=utf-8')
  if (!user) return '<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>'
  const form = '<form method="post" action="/sign-out"><button>Sign out</button></form>'
  return `<p>Hello ${escapeHtml(user.email)}</p>${form}`
})

// Signed-out browsers are redirected to sign in and then return here. Other requests get 401.
app.get('/private', { onRequest: requireUser(wardenry) }, async (request) => ({ email: request.user?.email }))

await app.listen({ port: Number(PORT), host: '127.0.0.1' })
console.log(`Open ${APP_URL}`)

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
