import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { call, type ResponseOf } from '../../../ui/shared/api-route.ts'
import { ListAccountsRoute } from '../../api-keys/account-schemas.ts'
import { ListClientsRoute } from '../clients/schemas.ts'
import { ListResourcesRoute } from '../resources/schemas.ts'
import type { ShownResource } from './paths.ts'

type Accounts = ResponseOf<typeof ListAccountsRoute>['data']

/** With the scopes that the visitor may give. None if the visitor may not see service accounts. */
export async function readAccounts(member: AdminVisit): Promise<Accounts> {
  const response = await member.api(call(ListAccountsRoute))
  return response.ok ? response.body.data : { service_accounts: [], scopes: [] }
}

export const readResources = async (member: AdminVisit): Promise<ShownResource[]> =>
  (await member.read(call(ListResourcesRoute))).resources

/** The first 100 clients that may introspect tokens for the resource. */
export const readServers = async (member: AdminVisit, resourceId: string) =>
  (
    await member.read(
      call(ListClientsRoute, { query: { type: 'resource_server', resource_id: resourceId, limit: 100 } }),
    )
  ).clients
