import { createWardenry } from '@wardenry/server'
import { requireUser } from '@wardenry/server/express'
import express from 'express'

const { PORT = '4000', WARDENRY_URL = 'http://localhost:3000', BRIDGE_SECRET } = process.env
// The identifier of this API in Wardenry. Tokens for other APIs are rejected.
const { API = 'https://api.example.com' } = process.env
const wardenry = createWardenry({ url: WARDENRY_URL, bridgeSecret: BRIDGE_SECRET })

const app = express()
const mayRead = requireUser(wardenry, { kinds: ['token'], resource: API, scopes: ['invoices:read'] })

app.get('/invoices', mayRead, (request, reply) => {
  reply.json({ invoices: [], client: request.credential?.client?.id })
})

app.listen(Number(PORT), '127.0.0.1', () => console.log(`The API listens on http://127.0.0.1:${PORT}`))
