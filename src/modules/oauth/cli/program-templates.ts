import type { Context } from '../../../context.ts'
import { accountNamed } from '../../api-keys/cli/run-command.ts'
import { type ClientInput, maxResources } from '../clients/read-input.ts'
import { listResources } from '../resources/show-resource.ts'

/** Clients that act for themselves. They have no host, and `settings` names the sample that is printed. */
const templates = {
  machine: { type: 'machine', settings: 'curl' },
  'resource-server': { type: 'resource_server', settings: 'node' },
} as const

export const programTemplates: ReadonlyMap<string, (typeof templates)[keyof typeof templates]> = new Map(
  Object.entries(templates),
)

type ProgramTerms = Pick<ClientInput, 'type' | 'application_id' | 'service_account_id' | 'scopes' | 'resources'>

/** The APIs of the application and, for a machine, the scopes of its service account, unless others are given. */
export async function withProgramTerms<Terms extends ProgramTerms>(ctx: Context, terms: Terms): Promise<Terms> {
  const { type, application_id, service_account_id, scopes } = terms
  const own = (await listResources(ctx)).filter(
    ({ application, enabled }) => enabled && application.id === application_id,
  )
  const resources = terms.resources ?? own.slice(0, maxResources).map(({ id }) => id)
  // Its settings could not be printed, so its secret would be lost with the error.
  if (type === 'resource_server' && resources.length === 0)
    throw new Error('The application has no resources: see resource-create')
  if (type !== 'machine' || scopes !== undefined || service_account_id === undefined) return { ...terms, resources }
  return { ...terms, resources, scopes: (await accountNamed(ctx, service_account_id)).scopes }
}
