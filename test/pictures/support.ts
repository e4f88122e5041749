import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Reply, TestApp } from '../support/test-app.ts'

/** A picture of random noise, which does not compress well. */
export const drawn = (width: number, height: number) => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background: 'teal', noise } })
}

export interface Part {
  name: string
  bytes: Uint8Array | string
  /** The part's raw header lines. Default: the headers that browsers send. */
  head?: string
}

export const boundary = 'a-boundary-of-ours'

export function multipart(parts: Part[]): Buffer {
  const pieces = parts.flatMap(({ name, bytes, head }) => [
    `--${boundary}\r\n`,
    head ?? `Content-Disposition: form-data; name="${name}"; filename="me.jpg"\r\nContent-Type: image/jpeg`,
    '\r\n\r\n',
    bytes,
    '\r\n',
  ])
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

export const multipartType = { 'content-type': `multipart/form-data; boundary=${boundary}` }

export const uploadBody = (app: TestApp, sessionToken: string, body: Buffer, more: Record<string, string> = {}) =>
  app.post('/auth/upload/picture', body, { headers: { 'x-session-id': sessionToken, ...multipartType, ...more } })

export const upload = (app: TestApp, sessionToken: string, bytes: Uint8Array | string): Promise<Reply> =>
  uploadBody(app, sessionToken, multipart([{ name: 'picture', bytes }]))

/** The files in the service's picture folder. */
export const keptFiles = (app: TestApp): string[] => readdirSync(join(app.ctx.config.DATA_DIR, 'files')).toSorted()

/** The path of a URL from a response. */
export const pathOf = (app: TestApp, address: string): string => {
  if (!address.startsWith(app.ctx.config.PUBLIC_URL)) throw new Error(`not an address of ours: ${address}`)
  return address.slice(app.ctx.config.PUBLIC_URL.length)
}
