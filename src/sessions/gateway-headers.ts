import type { Context, SessionView } from '../context.ts'
import { identityOf } from './identity.ts'

/**
 * Who a request is from, as headers of the reply to a gateway, names and values in turn. The gateway passes them on, so
 * that no value may be able to end its header or start another one.
 */
export function gatewayHeaders({ session, user }: SessionView): string[] {
  const { authenticated_at, methods } = identityOf({ session })
  const name = user.display_name || `${user.name} ${user.last_name}`.trim()
  return [
    'x-auth-user-id',
    user.id,
    'x-auth-email',
    encoded(user.email),
    'x-auth-email-verified',
    String(user.is_verified),
    'x-auth-name',
    encoded(name),
    'x-auth-user-type',
    encoded(user.user_type),
    'x-auth-session-id',
    session.id,
    'x-auth-time',
    authenticated_at,
    'x-auth-methods',
    methods.join(),
  ]
}

/**
 * Percent-encoded UTF-8 but for letters, digits and `-._~@`: pure ASCII without space, comma, quote, plus or percent of its
 * own, which every decoder of addresses and of forms reads the same way.
 */
export const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@')

/** Where a gateway may send its visitor to sign in. Whether they may return there is decided by the sign-in page. */
export function loginAddress({ config }: Pick<Context, 'config'>, original: string | undefined): string {
  const returnTo = original === undefined ? '' : `?return_to=${encodeURIComponent(original)}`
  return `${config.PUBLIC_URL}/login${returnTo}`
}
