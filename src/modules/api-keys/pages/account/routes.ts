import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { type AccountVisit, accountPages } from '../../../../ui/account/account-visit.ts'
import { rolesInWords } from '../../../../ui/console/roles.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { CreateKeyRoute, ListKeysRoute, RevokeKeyRoute, RotateKeyRoute } from '../../own-schemas.ts'
import { keyInput } from '../key-input.ts'
import type { Typed } from '../scope-words.ts'
import { CreateKeyFormRoute, KeyActionFormRoute, KeysPageRoute, keyActionPath, keysPath } from './schemas.ts'
import { type KeysPage, keysPage } from './view.ts'

const module = 'api-keys'

export const keyPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, keysPath)
    const form = { ...postedByAnyone, module }

    pages.get(keysPath, { schema: KeysPageRoute, config: { ...readByAnyone, module } }, (member, { query }) =>
      showKeys(ctx, member, { done: query.done }),
    )

    pages.post(keysPath, { schema: CreateKeyFormRoute, config: form }, async (member, request) => {
      const { form_token: formToken, ...typed } = request.body as Typed
      const body = keyInput(typed, ctx.clock.now())
      const response = await member.submitKept(keysPath, formToken, call(CreateKeyRoute, { body }))
      if (!response.ok) return showKeys(ctx, member, { typed, rejection: response.rejection }, response.status)
      return showKeys(ctx, member, { secret: response.body.data.key })
    })

    pages.post(keyActionPath, { schema: KeyActionFormRoute, config: form }, async (member, request) => {
      const { action, key_id = '', form_token: formToken } = request.body
      const params = { key_id }
      if (action === 'rotate') {
        const response = await member.submit(keyActionPath, formToken, call(RotateKeyRoute, { params, body: {} }))
        if (!response.ok) return showKeys(ctx, member, { rejection: response.rejection }, response.status)
        return showKeys(ctx, member, { secret: response.body.data.key })
      }
      const response = await member.submit(keyActionPath, formToken, call(RevokeKeyRoute, { params }))
      if (!response.ok) return showKeys(ctx, member, { rejection: response.rejection }, response.status)
      return member.go(`${keysPath}?done=revoked`)
    })
  }

async function showKeys(
  ctx: Context,
  member: AccountVisit,
  more: Pick<KeysPage, 'done' | 'rejection' | 'secret' | 'typed'>,
  status?: number,
) {
  const response = await member.api(call(ListKeysRoute))
  const listed = response.ok ? response.body.data : { keys: [], scopes: [] }
  const data = {
    ...listed,
    area: member.area,
    roles: rolesInWords(ctx),
    forms: { create: member.sign(keysPath), act: member.sign(keyActionPath) },
    maxLifetime: ctx.config.API_KEY_MAX_TTL,
    now: ctx.clock.now(),
    timeZone: member.profile.user.tmz,
    ...more,
  }
  return member.show((page) => keysPage(data, page), status)
}
