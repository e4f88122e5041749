import { WardenryError } from './errors.ts'
import type { Settings } from './options.ts'

const timeoutMs = 5000

type Connection = Pick<Settings, 'internalUrl' | 'bridgeSecret' | 'fetch'> & Partial<Pick<Settings, 'clock'>>

export interface ServiceResponse {
  status: number
  body: { success?: boolean; code?: string } & Record<string, unknown>
  /** All `Set-Cookie` headers in the response. */
  cookies: string[]
}

/**
 * Sends a request with the bridge secret. Throws if the response neither accepts nor rejects the request, so
 * that an outage is not mistaken for a rejection.
 */
export async function callService(
  settings: Connection,
  path: string,
  content: object,
  headers: Record<string, string> = {},
): Promise<ServiceResponse> {
  const reply = await send(settings, path, content, headers)
  if (reply.body.code === 'BRIDGE_SECRET_REQUIRED') {
    const message = `${settings.internalUrl} refused the bridge secret: set bridgeSecret to the secret that the service prints at start, or to its BRIDGE_SECRET`
    throw new WardenryError('BRIDGE_SECRET_REQUIRED', message)
  }
  // The secret of an application lacks the right. Visitors must not appear to be signed out.
  if (reply.body.code === 'FORBIDDEN')
    throw new WardenryError('BRIDGE_SECRET_REQUIRED', `${settings.internalUrl}${path} refused: ${reply.body.error}`)
  const isResponse = typeof reply.body.success === 'boolean' && [200, 400, 401, 403].includes(reply.status)
  if (isResponse) return reply
  const reason = `${reply.status} ${reply.body.code ?? ''}`.trim()
  throw new WardenryError('UNAVAILABLE', `${settings.internalUrl}${path} returned ${reason}`)
}

async function send(
  { internalUrl, bridgeSecret, fetch, clock }: Connection,
  path: string,
  content: object,
  headers: Record<string, string>,
): Promise<ServiceResponse> {
  try {
    const reply = await fetch(internalUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-bridge-secret': bridgeSecret, ...headers },
      body: JSON.stringify(content),
      signal: AbortSignal.timeout(timeoutMs),
      // Redirects are not followed, because the bridge secret must not be sent to another URL.
      redirect: 'manual',
    })
    const body = (await reply.json().catch(() => undefined)) as ServiceResponse['body'] | null | undefined
    const time = timeOf(body ?? {}, reply.headers.get('date'))
    if (time !== undefined) clock?.measured(time)
    return { status: reply.status, body: body ?? {}, cookies: reply.headers.getSetCookie() }
  } catch (cause) {
    throw new WardenryError('UNAVAILABLE', `${internalUrl} cannot be reached: ${reasonOf(cause)}`, cause)
  }
}

/** The service's time: from the body, from the first result in the body, or from the Date header. */
function timeOf({ timestamp, results }: ServiceResponse['body'], date: string | null): number | undefined {
  const [first] = Array.isArray(results) ? results : []
  const times = [timestamp, first?.timestamp, date].map((text) => Date.parse(String(text)))
  return times.find((time) => Number.isFinite(time))
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? cause.message || String((cause as { code?: unknown }).code) : message
}
