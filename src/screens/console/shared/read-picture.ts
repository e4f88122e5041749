import type { FastifyRequest } from 'fastify'
import { storedPicture } from '../../../config/branding.ts'
import type { Context } from '../../../context.ts'
import { isOwnForm } from '../../../http/access/origins.ts'
import { fileOf, readParts } from '../../../http/parsing/upload.ts'
import { boundedQueue } from '../../../lib/bounded-queue.ts'
import { concurrencyLimiter } from '../../../lib/concurrency-limiter.ts'
import { AppError } from '../../../lib/errors.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import type { ApiResponse } from '../../../ui/shared/call-api.ts'

interface SettingPicture {
  name: string
  /** The picture, encoded as the API stores it. */
  value: string
  version: string
  formToken: string
}

const maxBytes = 256 * 1024

/** Limits the number of uploads in memory. */
const places = boundedQueue(4, 0)
const limitPerUser = concurrencyLimiter()

/** Does not check the form token. */
export async function readPicture(
  ctx: Context,
  { profile }: AdminVisit,
  request: FastifyRequest,
): Promise<ApiResponse<SettingPicture>> {
  // This check comes before the upload takes a slot, so that a form on another site cannot occupy the slots.
  if (!isOwnForm(request.headers, ctx.config)) return { ok: false, status: 400, rejection: { code: 'PAGE_EXPIRED' } }
  const read = async () => {
    const parts = await readParts(request, maxBytes)
    const text = (name: string) => parts(name).toString()
    const value = storedPicture(fileOf(parts, 'picture', maxBytes))
    return { name: text('name'), value, version: text('version'), formToken: text('form_token') }
  }
  try {
    return { ok: true, body: await limitPerUser(1, profile.user.id, () => places.run(read)) }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { ok: false, status: error.status, rejection: { code: error.code } }
  }
}
