import type { Context } from '../../../../../context.ts'
import { AppError } from '../../../../../lib/errors.ts'
import { readApplications } from '../../../../../screens/console/applications/read-applications.ts'
import type { AdminVisit } from '../../../../../ui/console/admin-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../../ui/shared/call-api.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { existingUserTypes } from '../../../../../users/fields.ts'
import { readDeclaredScopes, scopesOf } from '../../../../api-keys/pages/scope-words.ts'
import * as api from '../../../clients/schemas.ts'
import { isUserClient } from '../../../clients/sign-in-input.ts'
import { offeredOidcScopes } from '../../../oidc-scopes.ts'
import type { ClientType } from '../../../rows.ts'
import { chosenResources, lifetimeIn, type TypedValues } from '../../form-values.ts'
import { newClientPath } from '../../paths.ts'
import { readAccounts, readResources } from '../../read-choices.ts'
import * as schemas from '../../schemas.ts'
import { showSecrets } from '../secrets/show-secrets.ts'
import { firstSignInValues, signInValues } from '../sign-in/sign-in-values.ts'
import { chosenFrom } from './choose.ts'
import { chooseClientPage, newClientPage } from './view.ts'

const module = 'oauth'

export function declareNewClient(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  pages.get(
    newClientPath,
    { schema: schemas.NewClientPageRoute, config: { ...readByAnyone, module } },
    (member, { query }) => showNew(ctx, member, query),
  )
  pages.post(
    newClientPath,
    { schema: schemas.CreateClientFormRoute, config: { ...postedByAnyone, module } },
    async (member, request) => {
      const { form_token: formToken, ...typed } = request.body as TypedValues
      const body = createInput(typed, await readResources(member))
      const response = await member.submit(newClientPath, formToken, call(api.CreateClientRoute, { body }))
      if (!response.ok) return showNew(ctx, member, typed, response)
      const { data, client_secret: secret } = response.body
      return showSecrets(ctx, member, data.client_id, { secret, done: 'created' })
    },
  )
}

const createInput = (typed: TypedValues, resources: readonly { id: string }[]) => ({
  ...{ type: typed.type, application_id: typed.application_id },
  ...(typed.name?.trim() && { name: typed.name.trim() }),
  ...(typed.client_id?.trim() && { client_id: typed.client_id.trim() }),
  ...(typed.service_account_id && { service_account_id: typed.service_account_id }),
  scopes: scopesOf(typed),
  resources: chosenResources(
    typed,
    resources.map(({ id }) => id),
  ),
  access_ttl: lifetimeIn(typed.access_ttl),
  ...(isUserClient(typed.type as ClientType) && signInValues(typed.type as ClientType, typed)),
})

type Rejected = { rejection: ApiRejection; status: number }

async function showNew(ctx: Context, member: AdminVisit, typed: TypedValues, rejected?: Rejected) {
  if (!member.can('applications:manage')) throw new AppError('FORBIDDEN')
  const { area } = member
  const applications = await readApplications(member)
  const { service_accounts: accounts, scopes: givable } = await readAccounts(member)
  const choice = chosenFrom(typed, applications, accounts)
  if (!choice) {
    const isIncomplete = Object.keys(typed).length > 0
    const data = { area, typed, applications, accounts, isIncomplete }
    return member.show((page) => chooseClientPage(data, page), isIncomplete ? 400 : 200)
  }
  const resources = await readResources(member)
  const form = member.sign(newClientPath)
  const declared = await readDeclaredScopes(member)
  const permissions = (await readDeclaredScopes(member, choice.application.key)).map(({ key }) => key)
  const data = {
    ...{ area, choice, resources, declared, givable, permissions, form, rejection: rejected?.rejection },
    typed: rejected ? typed : { ...firstSignInValues(choice.type), ...typed },
    ...{ oidcScopes: offeredOidcScopes(ctx), userTypes: existingUserTypes(ctx) },
  }
  return member.show((page) => newClientPage(data, page), rejected?.status)
}
