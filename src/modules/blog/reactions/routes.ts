import type { Context } from '../../../context.ts'
import { signedIn, visitor } from '../../../http/access/access.ts'
import { envelope } from '../../../http/responses/envelope.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { writerOf } from '../change-post.ts'
import { postPaths } from '../names.ts'
import { readInputFrom } from '../read-post.ts'
import { react, readReactions, takeReactionBack } from './react.ts'
import { ReactionsRoute, ReactRoute, TakeReactionBackRoute } from './schemas.ts'

const module = { id: 'blog', component: 'ext-reactions' }
const read = { access: visitor, limit: 'read', whileImpersonating: 'allowed', module } as const
const interact = { access: signedIn, limit: 'interact', module } as const

export const reactionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const post of postPaths) {
      const path = `${post}/reactions` as const
      http.get(path, { schema: ReactionsRoute, config: read }, async (request) =>
        envelope(request, await readReactions(ctx, readInputFrom(request), request.params.id), {}),
      )
      http.post(path, { schema: ReactRoute, config: interact }, async (request) => {
        const { params, body } = request
        return envelope(
          request,
          await react(ctx, writerOf(request), readInputFrom(request), { postId: params.id, reaction: body.reaction }),
          {},
        )
      })
      http.delete(path, { schema: TakeReactionBackRoute, config: interact }, async (request) =>
        envelope(
          request,
          await takeReactionBack(ctx, writerOf(request), readInputFrom(request), request.params.id),
          {},
        ),
      )
    }
  }
