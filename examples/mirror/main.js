import { createServer } from 'node:http'
import { verifyEvent } from '@wardenry/server'
import { keepCopying } from './copy.js'
import { openStore } from './store.js'
import { createUserReader } from './users.js'

const { PORT = '4000', WARDENRY_URL = 'http://localhost:3000', MIRROR_FILE = 'mirror.sqlite' } = process.env
const { WEBHOOK_SECRET, SUPPORT_EMAIL, SUPPORT_PASSWORD } = process.env
if (!WEBHOOK_SECRET || !SUPPORT_EMAIL || !SUPPORT_PASSWORD) {
  console.error('Set WEBHOOK_SECRET, SUPPORT_EMAIL and SUPPORT_PASSWORD.')
  process.exit(1)
}

const maxBody = 100_000
const store = openStore(MIRROR_FILE)
const reader = createUserReader({ url: WARDENRY_URL, email: SUPPORT_EMAIL, password: SUPPORT_PASSWORD })

const server = createServer(async (request, response) => {
  if (request.method === 'GET') return response.end(`${store.count()} users\n`)
  try {
    const event = verifyEvent({ body: await read(request), headers: request.headers, secrets: WEBHOOK_SECRET })
    // Responding after the id is on disk, and reading the user later, keeps requests short and loses nothing.
    if (event.type.startsWith('user.')) store.markChanged(event.data.user_id)
    response.writeHead(204).end()
  } catch (error) {
    console.error(error.message)
    response.writeHead(error.code === 'INVALID_EVENT' ? 401 : 500).end()
  }
})

async function read(request) {
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBody) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`Receives events at http://127.0.0.1:${PORT}/`))

await keepCopying(store, reader)
