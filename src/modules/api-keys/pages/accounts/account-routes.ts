import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { type ApiCall, call } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import * as api from '../../account-schemas.ts'
import { keyInput } from '../key-input.ts'
import { readDeclaredScopes, type Typed } from '../scope-words.ts'
import { type AccountPage, accountPage } from './account/view.ts'
import { accountInput } from './account-input.ts'
import { deleteServiceAccountPage } from './delete/view.ts'
import { accountKeysPath, accountPath, accountsPath, actPath, deleteAccountPath, editAccountPath } from './paths.ts'
import * as schemas from './schemas.ts'

const module = 'api-keys'
const read = { ...readByAnyone, module } as const
const form = { ...postedByAnyone, module } as const
const one = `${accountsPath}/:service_account_id`

type Pages = ReturnType<typeof adminPages>

export const accountPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, accountsPath, ({ params }) =>
      accountPath((params as { service_account_id: string }).service_account_id),
    )
    declareAccount(ctx, pages)
    declareKeys(ctx, pages)
    declareDelete(pages)
  }

function declareAccount(ctx: Context, pages: Pages): void {
  pages.get(one, { schema: schemas.AccountPageRoute, config: read }, (member, { params, query }) =>
    showAccount(ctx, member, params.service_account_id, { done: query.done }),
  )

  pages.post(`${one}/edit`, { schema: schemas.EditAccountFormRoute, config: form }, async (member, request) => {
    const { form_token: formToken, ...typed } = request.body as Typed
    const { params } = request
    const id = params.service_account_id
    const { owners } = await member.read(call(api.GetAccountRoute, { params }))
    const body = await accountInput(member, typed, owners)
    const response = await member.submit(editAccountPath(id), formToken, call(api.UpdateAccountRoute, { params, body }))
    if (response.ok) return member.go(`${accountPath(id)}?done=changed`)
    const rejected = { form: 'edit' as const, typed, rejection: response.rejection }
    return showAccount(ctx, member, id, { rejected, status: response.status })
  })
}

function declareKeys(ctx: Context, pages: Pages): void {
  pages.post(`${one}/keys`, { schema: schemas.CreateAccountKeyFormRoute, config: form }, async (member, request) => {
    const { form_token: formToken, ...typed } = request.body as Typed
    const { params } = request
    const id = params.service_account_id
    const create = call(api.CreateAccountKeyRoute, { params, body: keyInput(typed, ctx.clock.now()) })
    const response = await member.submit(accountKeysPath(id), formToken, create)
    if (response.ok) return showAccount(ctx, member, id, { secret: response.body.data.key })
    const rejected = { form: 'keys' as const, typed, rejection: response.rejection }
    return showAccount(ctx, member, id, { rejected, status: response.status })
  })

  pages.post(`${one}/act`, { schema: schemas.AccountActionFormRoute, config: form }, async (member, request) => {
    const { action = '', key_id = '', form_token: formToken } = request.body
    const { params } = request
    const id = params.service_account_id
    const keyParams = { ...params, key_id }
    const reject = ({ rejection, status }: { rejection: ApiRejection; status: number }) =>
      showAccount(ctx, member, id, { rejected: { form: 'act', typed: {}, rejection }, status })
    if (action === 'rotate') {
      const rotate = call(api.RotateAccountKeyRoute, { params: keyParams, body: {} })
      const response = await member.submit(actPath(id), formToken, rotate)
      return response.ok ? showAccount(ctx, member, id, { secret: response.body.data.key }) : reject(response)
    }
    const known = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (!known) return member.go(accountPath(id))
    const response = await member.submit(actPath(id), formToken, known.call(keyParams))
    return response.ok ? member.go(`${accountPath(id)}?done=${known.done}`) : reject(response)
  })
}

interface Action {
  done: string
  call(params: { service_account_id: string; key_id: string }): ApiCall
}

const switching =
  (enabled: boolean): Action['call'] =>
  ({ service_account_id }) =>
    call(api.UpdateAccountRoute, { params: { service_account_id }, body: { enabled } })

const actions: Readonly<Record<string, Action>> = {
  enable: { done: 'enabled', call: switching(true) },
  disable: { done: 'disabled', call: switching(false) },
  revoke: { done: 'revoked', call: (params) => call(api.RevokeAccountKeyRoute, { params }) },
}

function declareDelete(pages: Pages): void {
  const show = async (member: AdminVisit, id: string, response?: { status: number; rejection: ApiRejection }) => {
    if (!member.can('keys:manage')) throw new AppError('FORBIDDEN')
    const account = await member.read(call(api.GetAccountRoute, { params: { service_account_id: id } }))
    const { area } = member
    const data = { area, account, form: member.sign(deleteAccountPath(id)), rejection: response?.rejection }
    return member.show((page) => deleteServiceAccountPage(data, page), response?.status)
  }
  pages.get(`${one}/delete`, { schema: schemas.DeleteAccountPageRoute, config: read }, (member, { params }) =>
    show(member, params.service_account_id),
  )
  pages.post(`${one}/delete`, { schema: schemas.DeleteAccountFormRoute, config: form }, async (member, request) => {
    const { params } = request
    const id = params.service_account_id
    const remove = call(api.DeleteAccountRoute, { params })
    const response = await member.submit(deleteAccountPath(id), request.body.form_token, remove)
    return response.ok ? member.go(`${accountsPath}?done=deleted`) : show(member, id, response)
  })
}

type AccountState = Pick<AccountPage, 'done' | 'secret' | 'rejected'> & { status?: number }

async function showAccount(ctx: Context, member: AdminVisit, id: string, { status, ...state }: AccountState) {
  const params = { service_account_id: id }
  const { scopes } = await member.read(call(api.ListAccountsRoute))
  const data = {
    ...{ area: member.area, scopes, mayChange: member.can('keys:manage') },
    account: await member.read(call(api.GetAccountRoute, { params })),
    keys: (await member.read(call(api.ListAccountKeysRoute, { params }))).keys,
    declared: await readDeclaredScopes(member),
    forms: {
      ...{ edit: member.sign(editAccountPath(id)), keys: member.sign(accountKeysPath(id)) },
      act: member.sign(actPath(id)),
    },
    maxLifetime: ctx.config.API_KEY_MAX_TTL,
    ...{ now: ctx.clock.now(), timeZone: member.profile.user.tmz ?? null, ...state },
  }
  return member.show((page) => accountPage(data, page), status)
}
