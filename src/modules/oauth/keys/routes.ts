import { signedInAdmin } from '../../../admin/locked-target.ts'
import type { Context } from '../../../context.ts'
import { anyone, staffWith } from '../../../http/access/access.ts'
import { shownName } from '../../../http/parsing/json-body.ts'
import { documentSender } from '../../../http/responses/send-document.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { invalidField } from '../../../lib/errors.ts'
import { currentDirectory } from '../directory.ts'
import { jwksMaxAge } from './key-life.ts'
import { findSigningKeys } from './key-queries.ts'
import { rotateKeys } from './rotate-keys.ts'
import { JwksRoute, jwksPath, ListKeysRoute, RotateKeysRoute } from './schemas.ts'
import { shownRotation, shownSigningKey } from './shapes.ts'

const base = '/auth/admin/oauth/keys'

const module = 'oauth'
const published = { access: anyone, limit: 'read', module, anyOrigin: true } as const
const admin = { access: staffWith('signing_keys:manage'), limit: 'admin', module } as const

export const signingKeyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const sendDocument = documentSender(ctx.clock, jwksMaxAge)
    http.get(jwksPath, { schema: JwksRoute, config: published }, async (request, reply) =>
      sendDocument(request, reply, { type: 'application/json', text: await readJwks(ctx) }),
    )
    http.get(base, { schema: ListKeysRoute, config: admin }, async () => ({
      success: true as const,
      data: { keys: (await findSigningKeys(ctx.db)).map((row) => shownSigningKey(row, ctx.clock.now())) },
    }))
    http.post(`${base}/rotate`, { schema: RotateKeysRoute, config: admin }, async (request) => {
      const { unknownMember } = request.raw
      // A misspelt `compromised` would leave the key valid.
      if (unknownMember !== undefined) throw invalidField(shownName(unknownMember), 'is not known')
      const staff = { principal: signedInAdmin(request), session: request.auth }
      const rotated = await rotateKeys(ctx, staff, request.body)
      return { success: true as const, data: { keys: rotated.map(shownRotation) } }
    })
  }

/** Sorted, so that all nodes send the same bytes and ETag. */
async function readJwks(ctx: Context): Promise<string> {
  const published = (await currentDirectory(ctx)).keys.published(ctx.clock.now())
  return JSON.stringify({ keys: published.toSorted((one, other) => (one.kid < other.kid ? -1 : 1)) })
}
