import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { ListKeysRoute, RotateKeysRoute } from '../../keys/schemas.ts'
import { compromisedKeysPath, rotateKeysPath, signingKeysPath } from '../paths.ts'
import * as schemas from '../schemas.ts'
import { compromisedKeysPage } from './compromised/view.ts'
import { type SigningKeysPage, signingKeysPage } from './list/view.ts'

const module = 'oauth'
const read = { ...readByAnyone, module } as const
const form = { ...postedByAnyone, module } as const

export const signingKeyPageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, signingKeysPath, ({ url }) =>
      url.startsWith(compromisedKeysPath) ? compromisedKeysPath : signingKeysPath,
    )
    pages.get(signingKeysPath, { schema: schemas.SigningKeysPageRoute, config: read }, (member, { query }) =>
      showKeys(ctx, member, { done: query.done }),
    )
    pages.post(rotateKeysPath, { schema: schemas.RotateKeysFormRoute, config: form }, async (member, { body }) => {
      const rotate = call(RotateKeysRoute, { body: body.alg ? { alg: body.alg } : {} })
      const response = await member.submit(rotateKeysPath, body.form_token, rotate)
      if (!response.ok) return showKeys(ctx, member, { rejection: response.rejection }, response.status)
      const outcome = response.body.data.keys[0]?.outcome
      return member.go(outcome ? `${signingKeysPath}?done=${outcome}` : signingKeysPath)
    })
    pages.get(compromisedKeysPath, { schema: schemas.CompromisedKeysPageRoute, config: read }, (member) =>
      showCompromised(member),
    )
    pages.post(
      compromisedKeysPath,
      { schema: schemas.CompromisedKeysFormRoute, config: form },
      async (member, { body: { alg, form_token } }) => {
        const rotate = call(RotateKeysRoute, { body: { compromised: true, ...(alg && { alg }) } })
        const response = await member.submit(compromisedKeysPath, form_token, rotate)
        if (response.ok) return member.go(`${signingKeysPath}?done=replaced`)
        return showCompromised(member, { alg, ...response })
      },
    )
  }

const readKeys = async (member: AdminVisit) => (await member.read(call(ListKeysRoute))).keys

type KeysState = Pick<SigningKeysPage, 'done' | 'rejection'>

async function showKeys({ config }: Context, member: AdminVisit, state: KeysState, status?: number) {
  const data = {
    ...{ area: member.area, keys: await readKeys(member), form: member.sign(rotateKeysPath) },
    ...{ publishAhead: config.OAUTH_KEY_PUBLISH_AHEAD, timeZone: member.profile.user.tmz ?? null, ...state },
  }
  return member.show((page) => signingKeysPage(data, page), status)
}

async function showCompromised(
  member: AdminVisit,
  { alg, status, rejection }: { alg?: string | undefined; status?: number; rejection?: ApiRejection } = {},
) {
  const keys = await readKeys(member)
  const data = { area: member.area, keys, form: member.sign(compromisedKeysPath), alg, rejection }
  return member.show((page) => compromisedKeysPage(data, page), status)
}
