import type { Context } from '../../context.ts'
import { anyone } from '../../http/access.ts'
import type { Routes } from '../../http/create-server.ts'
import { visitOf } from '../visit.ts'
import { asMember } from './member.ts'
import { PhoneFormRoute, ProfileFormRoute, ProfileRoute } from './schemas.ts'
import { phonePath, profilePath, showProfile } from './show-profile.ts'

/** What people tell about themselves. */
export const profilePageRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const read = { access: anyone, limit: 'read', hidden: true } as const
    http.get(profilePath, { schema: ProfileRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), profilePath, (member) =>
        showProfile(ctx, member, { done: request.query.done }),
      ),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true } as const
    http.post(profilePath, { schema: ProfileFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), profilePath, async (member) => {
        const { page, ...profile } = request.body
        const refused = { form: 'profile' as const, profile }
        if (!(await member.isOwn(profilePath, page)))
          return showProfile(ctx, member, { refused: { ...refused, refusal: { code: 'PAGE_EXPIRED' } } }, 400)
        const answer = await member.api({ method: 'PUT', path: '/auth/profile', body: profile })
        if (answer.ok) return member.go(`${profilePath}?done=profile_saved`)
        return showProfile(ctx, member, { refused: { ...refused, refusal: answer.refusal } }, answer.status)
      }),
    )

    // Not with the rest: a number that is given again may let its owner in from then on.
    http.post(phonePath, { schema: PhoneFormRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), profilePath, async (member) => {
        const { page, phone } = request.body
        const refused = { form: 'phone' as const, phone }
        if (!(await member.isOwn(phonePath, page)))
          return showProfile(ctx, member, { refused: { ...refused, refusal: { code: 'PAGE_EXPIRED' } } }, 400)
        const answer = await member.api({ method: 'PUT', path: '/auth/profile', body: { phone } })
        if (answer.ok) return member.go(`${profilePath}?done=${phone.trim() ? 'phone_saved' : 'phone_removed'}`)
        return showProfile(ctx, member, { refused: { ...refused, refusal: answer.refusal } }, answer.status)
      }),
    )
  }
