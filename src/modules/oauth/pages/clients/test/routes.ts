import { AppError } from '../../../../../lib/errors.ts'
import type { AdminVisit } from '../../../../../ui/console/admin-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { readDeclaredScopes } from '../../../../api-keys/pages/scope-words.ts'
import { GetClientRoute } from '../../../clients/schemas.ts'
import { TestClientRoute } from '../../../token-test/schemas.ts'
import { clientListPath } from '../../paths.ts'
import { readResources } from '../../read-choices.ts'
import * as schemas from '../../schemas.ts'
import { clientTestPath } from './paths.ts'
import { type ClientTestPage, clientTestPage } from './view.ts'

const module = 'oauth'
const testOfOne = `${clientListPath}/:client_id/test`

export function declareClientTest(pages: PageDeclarations<AdminVisit>): void {
  pages.get(
    testOfOne,
    { schema: schemas.TestClientPageRoute, config: { ...readByAnyone, module } },
    (member, { params }) => showTest(member, params.client_id),
  )
  pages.post(
    testOfOne,
    { schema: schemas.TestClientFormRoute, config: { ...postedByAnyone, module } },
    async (member, { params, body: { form_token, ...typed } }) => {
      const id = params.client_id
      const [scope, resource] = [typed.scope?.trim(), typed.resource]
      const body = { ...(scope && { scope }), ...(resource && { resource }) }
      const response = await member.submit(clientTestPath(id), form_token, call(TestClientRoute, { params, body }))
      if (response.ok) return showTest(member, id, { typed, result: response.body.data })
      return showTest(member, id, { typed, rejection: response.rejection }, response.status)
    },
  )
}

type State = Pick<ClientTestPage, 'typed' | 'result' | 'rejection'>

async function showTest(member: AdminVisit, id: string, state: State = {}, status?: number) {
  if (!member.can('applications:manage')) throw new AppError('FORBIDDEN')
  const client = await member.read(call(GetClientRoute, { params: { client_id: id } }))
  const resources = (await readResources(member)).filter((one) => client.resources.includes(one.id))
  const declared = await readDeclaredScopes(member)
  const data = { area: member.area, client, resources, declared, form: member.sign(clientTestPath(id)), ...state }
  return member.show((page) => clientTestPage(data, page), status)
}
