/** The appearance of the service's pages. Every member has been checked. */
export interface Brand {
  name: string
  accent: { light: string; dark: string } | undefined
  logo: { url: string; width: number; height: number; containsName: boolean } | undefined
  /** A URL or a `mailto:` address. */
  support: string | undefined
}

export interface BrandSource {
  /**
   * The last known brand. Only the first call waits for the service, and only for a short time. Never rejects, because
   * pages can be shown without the brand.
   */
  read(options: { mayWait: boolean }): Promise<Brand | undefined>
}

interface Connection {
  url: string
  internalUrl: string
  fetch: typeof fetch
}

const freshMs = 5 * 60_000
const retryMs = 30_000
const timeoutMs = 1_000
const maxLength = 10_000

export function brandSource(connection: Connection): BrandSource {
  let known: Brand | undefined
  let nextRead = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const refresh = async () => {
    nextRead = performance.now() + retryMs
    const found = await readBrand(connection)
    reading = undefined
    if (!found) return
    known = found
    nextRead = performance.now() + freshMs
  }
  return {
    async read({ mayWait }) {
      if (performance.now() >= nextRead) reading ??= refresh()
      if (!known && mayWait) await reading
      return known
    },
  }
}

async function readBrand({ url, internalUrl, fetch }: Connection): Promise<Brand | undefined> {
  try {
    const reply = await fetch(`${internalUrl}/auth/brand`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    })
    const text = await shortTextOf(reply)
    return reply.status === 200 ? brandIn(JSON.parse(text), url) : undefined
  } catch {
    return undefined
  }
}

/** Throws if the text is too long, without reading the rest of it. */
async function shortTextOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > maxLength) throw new RangeError('the description of the brand is too long')
  }
  return text
}

/** Leaves out each member that is not valid. Undefined if the response contains no name. */
export function brandIn(body: unknown, serviceUrl: string): Brand | undefined {
  const { name, accent, logo, support_url: page, support_email: email } = membersOf(body)
  if (typeof name !== 'string' || !/^\P{Cc}{1,100}$/u.test(name) || name.trim() === '') return undefined
  return {
    name,
    accent: accentIn(membersOf(accent)),
    logo: logoIn(membersOf(logo), serviceUrl),
    support: linkIn(page) ?? (isEmail(email) ? `mailto:${email}` : undefined),
  }
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const isColour = (value: unknown): value is string => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)

const accentIn = ({ light, dark }: Record<string, unknown>): Brand['accent'] =>
  isColour(light) && isColour(dark) ? { light, dark } : undefined

/** Only pictures on the service's own origin, because the page's policy permits no other. */
function logoIn(
  { url: address, width, height, contains_name: containsName }: Record<string, unknown>,
  serviceUrl: string,
): Brand['logo'] {
  const url = linkIn(address)
  if (!url || new URL(url).origin !== serviceUrl || !isSide(width) || !isSide(height)) return undefined
  return { url, width, height, containsName: containsName === true }
}

const isSide = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000

function linkIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2_048 || !URL.canParse(value)) return undefined
  const { protocol, username, password, href } = new URL(value)
  return /^https?:$/.test(protocol) && username + password === '' ? href : undefined
}

const isEmail = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 254 && /^[\w.+-]+@[\w.-]+$/.test(value)
