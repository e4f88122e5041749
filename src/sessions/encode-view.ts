import type { ReadView } from '../context.ts'

/** The text contains neither the token nor its hash. */
export const encodeView = (view: ReadView): string => JSON.stringify(view)

/** Returns undefined for corrupt data and for data from another version. */
export function decodeView(text: string): ReadView | undefined {
  try {
    const view = JSON.parse(text)
    if (typeof view?.session?.id !== 'string' || typeof view?.user?.id !== 'string') return undefined
    if (typeof view.version !== 'string' || !isOwnedBy(view.user.id, view.owners)) return undefined
    if (typeof view.read_at !== 'number' || typeof view.user.metadata !== 'object') return undefined
    // Without this member, the session of an impersonator would have all of the user's rights.
    if (view.session.impersonated_by === undefined) return undefined
    if (view.session.sign_in_method === undefined) return undefined
    if (typeof view.grants?.version !== 'number' || !Array.isArray(view.grants.ids)) return undefined
    if (view.session.ends_at) view.session.ends_at = new Date(view.session.ends_at)
    for (const name of ['created_at', 'started_at', 'last_used_at', 'proved_at'])
      view.session[name] = new Date(view.session[name])
    for (const name of ['created_at', 'updated_at']) view.user[name] = new Date(view.user[name])
    return view
  } catch {
    return undefined
  }
}

/** A session that does not name its user as an owner could not be ended with the user's other sessions. */
const isOwnedBy = (userId: string, owners: unknown): boolean =>
  Array.isArray(owners) &&
  owners[0]?.id === userId &&
  owners.every((owner) => typeof owner?.id === 'string' && typeof owner.epoch === 'number')
