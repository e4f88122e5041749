import type { Context } from '../../../context.ts'
import { isOwnForm } from '../../../http/access/origins.ts'
import { fileOf, readParts } from '../../../http/parsing/upload.ts'
import type { DeclareRoutes } from '../../../http/server/types.ts'
import { boundedQueue } from '../../../lib/bounded-queue.ts'
import { concurrencyLimiter } from '../../../lib/concurrency-limiter.ts'
import { AppError } from '../../../lib/errors.ts'
import { DeletePictureRoute, UploadPictureRoute } from '../../../pictures/schemas.ts'
import { type AccountVisit, accountPages } from '../../../ui/account/account-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { postedByAnyone } from '../../../ui/shared/declare-pages.ts'
import { PictureFormRoute, RemovePictureFormRoute } from '../schemas.ts'
import { picturePath, profilePath, removePicturePath, showProfile } from './show-profile.ts'

/** Limits the number of uploads held in memory at the same time, in addition to the API's limit. */
const places = boundedQueue(4, 0)
const atOnceOfAddress = 2
const limitPerUser = concurrencyLimiter()

export const pictureFormRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    if (ctx.files.kind === 'off') return
    const pages = accountPages(ctx, http, profilePath)
    const config = { ...postedByAnyone, upload: 'picture' }
    pages.post(picturePath, { schema: PictureFormRoute, config }, async (member, request) => {
      // This is checked before the upload takes a slot. Otherwise, forms on other sites could occupy the slots.
      if (!isOwnForm(request.headers, ctx.config)) return reject(ctx, member, 'PAGE_EXPIRED', 400)
      return withPlace(member, request.clientAddress, () =>
        showingRejection(ctx, member, async () => {
          const part = await readParts(request, ctx.config.UPLOAD_MAX_BYTES)
          const formToken = part('form_token').toString()
          if (!(await member.isOwn(picturePath, formToken))) return reject(ctx, member, 'PAGE_EXPIRED', 400)
          const file = fileOf(part, 'picture', ctx.config.UPLOAD_MAX_BYTES)
          const response = await member.api(call(UploadPictureRoute, { file: { part: 'picture', bytes: file } }))
          if (!response.ok) return reject(ctx, member, response.rejection.code, response.status)
          return member.go(`${profilePath}?done=picture_saved`)
        }),
      )
    })

    pages.post(
      removePicturePath,
      { schema: RemovePictureFormRoute, config: postedByAnyone },
      async (member, request) => {
        const response = await member.submit(removePicturePath, request.body.form_token, call(DeletePictureRoute))
        if (!response.ok) return reject(ctx, member, response.rejection.code, response.status)
        return member.go(`${profilePath}?done=picture_removed`)
      },
    )
  }

type ProfileView = ReturnType<typeof showProfile>

/** Limits concurrent uploads per user and per IP address, because a slow client occupies a slot for a long time. */
const withPlace = (
  { profile }: AccountVisit,
  address: string,
  work: () => Promise<ProfileView>,
): Promise<ProfileView> =>
  limitPerUser(1, profile.user.id, () => limitPerUser(atOnceOfAddress, address, () => places.run(work)))

async function showingRejection(
  ctx: Context,
  member: AccountVisit,
  work: () => Promise<ProfileView>,
): Promise<ProfileView> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return reject(ctx, member, error.code, error.status)
  }
}

const reject = (ctx: Context, member: AccountVisit, code: string, status: number) =>
  showProfile(ctx, member, { refused: { form: 'picture', rejection: { code } } }, status)
