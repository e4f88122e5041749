import type { ApplicationRequest } from '../../applications/change-application.ts'
import type { ApplicationInput } from '../../applications/read-input.ts'
import type { Context } from '../../context.ts'
import { explainingRejections, itemsIn } from '../explain-rejection.ts'
import { readInputFile } from '../read-input-file.ts'
import { runWithContext } from '../run-with-context.ts'

export const withApplications = (work: (ctx: Context) => Promise<void>): Promise<void> =>
  runWithContext(adviceWhenBusy, (ctx) => work(ctx).catch(explainingRejections(unknown)))

const unknown = 'There is no such application: pass a key that "wardenry application list" prints'

const adviceWhenBusy = `If that process is the service, a superadmin can manage applications without stopping it, at
/admin/applications or with the API (/auth/admin/applications). Otherwise stop it, run this command, and start it again.`

export const applicationPlace = {
  application: { type: 'positional', description: 'key of the application', required: true },
} as const

export const operator = async () => ({ principal: (await import('../../admin/principal.ts')).operator })

/** The request of the operator for the application with this key. */
export async function requestFor(ctx: Context, key: string): Promise<ApplicationRequest> {
  const { findByKey } = await import('../../applications/queries.ts')
  const found = await findByKey(ctx.db, key)
  return { ...(await operator()), id: found?.id ?? '' }
}

export const memberOptions = {
  name: { type: 'string', description: 'name for users and administrators' },
  kind: { type: 'string', description: 'website, single_page, mobile, gateway or service' },
  'return-addresses': { type: 'string', description: 'all return addresses, separated by commas' },
  origins: { type: 'string', description: 'all origins whose pages may call the API, separated by commas' },
  development: { type: 'boolean', description: 'accept addresses on this machine; --no-development: reject them' },
  'home-url': { type: 'string', description: 'address of the home page' },
  accepts: { type: 'string', description: "keys of applications whose sessions this one's secrets may validate, too" },
  'sign-in-methods': { type: 'string', description: 'accepted ways to sign in, separated by commas; empty: all' },
  registration: { type: 'boolean', description: 'let users register; --no-registration: only sign in' },
  note: { type: 'string', description: 'note for administrators' },
  accent: {
    type: 'string',
    description: 'colour of its sign-in pages such as #5b21b6; empty: that of the installation',
  },
  logo: { type: 'string', description: 'file of the logo on its sign-in pages; empty: that of the installation' },
  'terms-url': { type: 'string', description: 'address of its terms; empty: that of the installation' },
  'privacy-url': { type: 'string', description: 'address of its privacy notice; empty: that of the installation' },
  'sign-out-url': { type: 'string', description: 'where users are sent after signing out, below a return address' },
} as const

interface GivenOptions {
  name?: string | undefined
  kind?: string | undefined
  'return-addresses'?: string | undefined
  origins?: string | undefined
  development?: boolean | undefined
  'home-url'?: string | undefined
  accepts?: string | undefined
  'sign-in-methods'?: string | undefined
  registration?: boolean | undefined
  note?: string | undefined
  accent?: string | undefined
  logo?: string | undefined
  'terms-url'?: string | undefined
  'privacy-url'?: string | undefined
  'sign-out-url'?: string | undefined
}

export async function inputOf(given: GivenOptions): Promise<ApplicationInput> {
  const { applicationKinds: kinds } = await import('../../applications/read-input.ts')
  const { name, accepts, development, note, kind, origins, 'home-url': homeUrl, 'return-addresses': returns } = given
  const { registration, 'sign-in-methods': methods } = given
  const known = kinds.find((one) => one === kind)
  if (kind !== undefined && !known) throw new Error(`--kind must be one of ${kinds.join(', ')}`)
  return {
    ...(name !== undefined && { name }),
    ...(known && { kind: known }),
    ...(returns !== undefined && { return_addresses: itemsIn(returns) }),
    ...(origins !== undefined && { origins: itemsIn(origins) }),
    ...(development !== undefined && { development }),
    ...(homeUrl !== undefined && { home_url: orNull(homeUrl) }),
    ...(accepts !== undefined && { accepts: itemsIn(accepts) }),
    ...(methods !== undefined && { sign_in_methods: itemsIn(methods) }),
    ...(registration !== undefined && { registration }),
    ...(note !== undefined && { note }),
    ...(await appearanceIn(given)),
  }
}

async function appearanceIn({ accent, logo, ...urls }: GivenOptions): Promise<ApplicationInput> {
  const { storedPicture } = await import('../../config/branding.ts')
  const { 'terms-url': terms, 'privacy-url': privacy, 'sign-out-url': signOut } = urls
  return {
    ...(accent !== undefined && { accent: orNull(accent) }),
    ...(logo !== undefined && { logo: logo === '' ? null : storedPicture(await readInputFile(logo)) }),
    ...(terms !== undefined && { terms_url: orNull(terms) }),
    ...(privacy !== undefined && { privacy_url: orNull(privacy) }),
    ...(signOut !== undefined && { sign_out_url: orNull(signOut) }),
  }
}

const orNull = (text: string): string | null => (text === '' ? null : text)
