import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * A server that implements the parts of the S3 protocol that the service uses. Rejects requests with a wrong signature.
 */
export interface S3Double {
  url: string
  /** The credentials and region that signatures must use. */
  admit(key: Key): void
  typeOf(path: string): string | undefined
  paths(): string[]
  /** Responds to all later requests with this status until called with undefined. */
  answerWith(status: number | undefined): void
  stop(): Promise<void>
}

interface Key {
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export async function startS3Double(): Promise<S3Double> {
  const objects = new Map<string, { bytes: Buffer; type: string | undefined }>()
  let key: Key | undefined
  let forced: number | undefined
  const answer = async (request: IncomingMessage): Promise<{ status: number; body?: Buffer }> => {
    const bytes = await buffer(request)
    const path = request.url ?? ''
    if (forced !== undefined) return { status: forced }
    if (!key || !isSigned(asSent(request), bytes, key)) return { status: 403 }
    if (request.method === 'PUT') objects.set(path, { bytes, type: request.headers['content-type'] })
    if (request.method === 'DELETE') objects.delete(path)
    if (request.method !== 'GET') return { status: request.method === 'PUT' ? 200 : 204 }
    const object = objects.get(path)
    return object ? { status: 200, body: object.bytes } : { status: 404 }
  }
  const server = createServer(async (request, response) => {
    const { status, body } = await answer(request)
    response.writeHead(status, { ...(status < 400 && status >= 300 && { location: '/elsewhere' }) }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    admit: (admitted) => {
      key = admitted
    },
    typeOf: (path) => objects.get(path)?.type,
    paths: () => [...objects.keys()],
    answerWith: (status) => {
      forced = status
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export interface SignedRequest {
  method: string
  path: string
  /** Names are in lowercase. */
  headers: Record<string, string>
}

const asSent = ({ method = '', url = '', headers }: IncomingMessage): SignedRequest => ({
  method,
  path: url,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
})

/** Computes AWS Signature Version 4 from the received request, independently of the client. */
export function isSigned({ method, path, headers }: SignedRequest, body: Buffer, key: Key): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
  const [, id, day = '', region, names = '', signature = ''] = form.exec(headers.authorization ?? '') ?? []
  const time = headers['x-amz-date'] ?? ''
  const payload = headers['x-amz-content-sha256'] ?? ''
  const covers = names.split(';')
  const isSound =
    id === key.accessKeyId &&
    region === key.region &&
    time.startsWith(day) &&
    ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => covers.includes(name)) &&
    (payload === 'UNSIGNED-PAYLOAD' || payload === sha256(body))
  if (!isSound) return false
  const [resource = '', query = ''] = path.split('?')
  const lines = covers.map((name) => `${name}:${(headers[name] ?? '').trim()}\n`).join('')
  const canonical = [method, resource, query, lines, names, payload].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const secret = [day, key.region, 's3', 'aws4_request'].reduce<Buffer>(
    (made, step) => hmac(made, step),
    Buffer.from(`AWS4${key.secretAccessKey}`),
  )
  return timingSafeEqual(hmac(secret, toSign), Buffer.from(signature, 'hex'))
}

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()
