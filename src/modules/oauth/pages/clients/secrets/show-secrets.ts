import type { Context } from '../../../../../context.ts'
import type { AdminVisit } from '../../../../../ui/console/admin-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { GetClientRoute } from '../../../clients/schemas.ts'
import { samplesFor } from '../../../samples/print-sample.ts'
import { readResources } from '../../read-choices.ts'
import { clientSecretsPath, removeSecretPath } from './paths.ts'
import { type ClientSecretsPage, clientSecretsPage } from './view.ts'

type SecretsState = Pick<ClientSecretsPage, 'secret' | 'rejection' | 'done'> & { status?: number }

export async function showSecrets(ctx: Context, member: AdminVisit, id: string, { status, ...state }: SecretsState) {
  const client = await member.read(call(GetClientRoute, { params: { client_id: id } }))
  const resources = await readResources(member)
  const data = {
    ...{ area: member.area, client, resources, samples: samplesFor(ctx.config, client, resources) },
    mayChange: member.can('clients:secrets') && client.auth_method !== 'none',
    mayTest: client.type === 'machine' && client.secrets.length > 0 && member.can('applications:manage'),
    forms: { add: member.sign(clientSecretsPath(id)), remove: member.sign(removeSecretPath(id)) },
    ...{ now: ctx.clock.now(), timeZone: member.profile.user.tmz ?? null, ...state },
  }
  return member.show((page) => clientSecretsPage(data, page), status)
}
