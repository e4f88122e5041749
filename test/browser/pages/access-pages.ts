import { newId } from '../../../src/lib/ids.ts'
import { authorizeAddress, webClient } from '../../modules/oauth/sign-in-support.ts'
import { type MadeClient, oauthAdmin } from '../../modules/oauth/support.ts'
import type { ListedPage } from './list.ts'
import type { World } from './world.ts'

/** The pages on which users let applications use their accounts (OpenID Connect). */
export const accessPages: ListedPage[] = [
  { name: 'authorize-unknown-client', path: '/oauth/authorize?client_id=nobody' },
  { name: 'authorize-over', path: `/oauth/continue?request=${newId()}` },
  {
    name: 'authorize-not-allowed',
    path: async (world) => authorizeAddress((await clientsIn(world)).forWriters),
    as: 'ada',
    leadsTo: '/oauth/continue',
  },
  {
    name: 'consent',
    path: async (world) => authorizeAddress((await clientsIn(world)).notes, { scope: 'openid profile email phone' }),
    as: 'ada',
    leadsTo: '/oauth/consent',
  },
  { name: 'sign-out-of-application', path: '/oauth/logout', as: 'ada' },
  { name: 'sign-out-of-application-refused', path: '/oauth/logout?id_token_hint=x', as: 'ada' },
]

/** The applications that can use the account: none, and one. */
export const applicationPages: ListedPage[] = [
  { name: 'applications-none', path: '/account/applications', as: 'ada' },
  { name: 'applications', path: withConsent, as: 'ada' },
]

interface Clients {
  notes: MadeClient
  forWriters: MadeClient
}

const clientsOf = new WeakMap<World, Promise<Clients>>()

function clientsIn(world: World): Promise<Clients> {
  const clients = clientsOf.get(world) ?? addClients(world)
  clientsOf.set(world, clients)
  return clients
}

async function addClients({ app, grace }: World): Promise<Clients> {
  const admin = await oauthAdmin(app, grace)
  return { notes: await webClient(admin), forWriters: await webClient(admin, { allowed_types: ['writer'] }) }
}

/** As if Ada had allowed it. */
async function withConsent(world: World): Promise<string> {
  const { app, ada } = world
  const { clientId } = (await clientsIn(world)).notes
  const { id } = await app.ctx.db
    .selectFrom('oauth_clients')
    .select('id')
    .where('client_id', '=', clientId)
    .executeTakeFirstOrThrow()
  const [scopes, times] = [['openid', 'email'], { given_at: new Date(), expires_at: new Date(Date.now() + 86_400_000) }]
  await app.ctx.db
    .insertInto('oauth_consents')
    .values({ user_id: ada.id, client_id: id, scopes, resources: [], targets: ['app.example'], ...times })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return '/account/applications'
}
