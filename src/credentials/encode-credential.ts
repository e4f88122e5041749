import type { CredentialView } from '../context.ts'

/** For the shared cache. The text contains neither the credential nor its hash. */
export const encodeCredential = (view: CredentialView, readAt: number): string => JSON.stringify({ view, readAt })

/** Returns undefined for corrupt data and for data from another version. */
export function decodeCredential(text: string): { view: CredentialView; readAt: number } | undefined {
  const { view, readAt } = JSON.parse(text)
  if (typeof readAt !== 'number' || typeof view?.id !== 'string' || typeof view.kind !== 'string') return undefined
  if (![view.owners, view.scopes, view.ipRanges].every(Array.isArray) || typeof view.isPaused !== 'boolean')
    return undefined
  if (typeof view.grants?.version !== 'number' || !Array.isArray(view.grants.ids)) return undefined
  if (view.user === undefined || view.serviceAccount === undefined || view.expiresAt === undefined) return undefined
  if (view.client === undefined || view.resource === undefined || view.issuedAt === undefined) return undefined
  if (view.kind === 'token' && (!view.client || !view.resource)) return undefined
  // A credential that does not name its user as an owner could not be ended with the user's other credentials.
  if (view.user && !view.owners.some(({ id }: { id: unknown }) => id === view.user.id)) return undefined
  for (const name of ['created_at', 'updated_at']) if (view.user) view.user[name] = new Date(view.user[name])
  return { view, readAt }
}
