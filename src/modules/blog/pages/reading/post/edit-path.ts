import { isAdmin } from '../../../../../http/access/is-admin.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { ProfileRoute } from '../../../../../users/profile-schemas.ts'
import { writers } from '../../../access.ts'
import type { ShownPost } from '../../../schemas.ts'
import { postPath } from '../../content/schemas.ts'
import type { Reader } from '../reader.ts'

/** The path of the post's editor if the visitor may edit the post. Pages for visitors with a session are not cached. */
export async function editPathOf(reader: Reader, post: ShownPost): Promise<string | undefined> {
  if (!reader.bringsSession) return undefined
  const response = await reader.api(call(ProfileRoute))
  if (!response.ok) return undefined
  const { user } = response.body.data
  const isWriter = writers(reader.ctx.config).roles?.includes(user.user_type) === true
  return isWriter && (isAdmin(user) || post.user_id === user.id) ? postPath(post.id) : undefined
}
