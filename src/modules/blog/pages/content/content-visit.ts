import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../../config/load.ts'
import type { Context } from '../../../../context.ts'
import { isAdmin } from '../../../../http/access/is-admin.ts'
import type { HttpServer } from '../../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { moderators, writers } from '../../access.ts'
import { hasExtension } from '../../components.ts'
import { contentPaths } from './schemas.ts'

export const read = { ...readByAnyone, module: 'blog' } as const
export const form = { ...postedByAnyone, module: 'blog' } as const

/** The API enforces these rights. Pages only hide the actions that the API would reject. */
export interface ContentRights {
  writes: boolean
  moderates: boolean
  administers: boolean
  /** Whether the component that adds comments is installed. */
  hasComments: boolean
}

export const contentRoles = (config: Config): readonly string[] => [
  ...new Set([...(writers(config).roles ?? []), ...(moderators(config).roles ?? [])]),
]

export function contentRightsOf(ctx: Context, { profile }: Pick<AdminVisit, 'profile'>): ContentRights {
  const { config } = ctx
  const { user } = profile
  return {
    writes: writers(config).roles?.includes(user.user_type) === true,
    moderates: moderators(config).roles?.includes(user.user_type) === true,
    administers: isAdmin(user),
    hasComments: hasExtension(ctx, 'ext-comments'),
  }
}

/** After submitting a form about a post, the visitor returns to the post's page. */
export const contentPages = (ctx: Context, http: HttpServer) =>
  adminPages(ctx, http, contentPaths.posts, (request: FastifyRequest) => {
    const { id } = request.params as { id?: string }
    return id && /^[\da-f-]{36}$/.test(id) ? contentPaths.post.replace(':id', id) : contentPaths.posts
  })
