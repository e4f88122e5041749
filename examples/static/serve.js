import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'

// Any web server can serve these files. This one requires no packages.
const { PORT = '4000', WARDENRY_URL = 'http://localhost:3000' } = process.env
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript' }

const server = createServer(async (request, reply) => {
  const path = normalize(new URL(request.url, 'http://localhost').pathname)
  if (path === '/config.json') return reply.end(JSON.stringify({ wardenryUrl: WARDENRY_URL }))
  const isModule = /^\/node_modules\/[\w@./-]+\.m?js$/.test(path)
  if (path !== '/' && !isModule) return reply.writeHead(404).end('Not found')
  const file = isModule ? join('.', path) : 'index.html'
  try {
    const content = await readFile(file)
    reply.setHeader('content-type', types[extname(file)]).end(content)
  } catch {
    reply.writeHead(404).end('Not found')
  }
})

server.listen(Number(PORT), 'localhost', () => console.log(`Open http://localhost:${PORT}`))
