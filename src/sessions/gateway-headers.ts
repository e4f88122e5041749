import type { Context, SessionView, UserRow } from '../context.ts'
import { authenticationOf } from './session.ts'

/** Gateways forward the values as headers, so no value may contain a line break. */
export function gatewayHeaders({ session, user }: SessionView): string[] {
  const { authenticated_at, methods } = authenticationOf({ session })
  return [
    ...describeUser(user),
    'x-auth-session-id',
    session.id,
    'x-auth-time',
    authenticated_at,
    'x-auth-methods',
    methods.join(),
  ]
}

/** Alternating header names and values. */
export const describeUser = (user: UserRow): string[] => [
  'x-auth-user-id',
  user.id,
  'x-auth-email',
  encoded(user.email),
  'x-auth-email-verified',
  String(user.is_verified),
  'x-auth-name',
  encoded(user.display_name || `${user.name} ${user.last_name}`.trim()),
  'x-auth-user-type',
  encoded(user.user_type),
]

/** Encodes everything but letters, digits and `-._~@` so that URL decoders and form decoders return the same result. */
export const encoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%40', '@')

/** The sign-in page checks whether the return address is allowed, so it is not checked here. */
export function loginAddress({ config }: Pick<Context, 'config'>, original: string | undefined): string {
  const returnTo = original === undefined ? '' : `?return_to=${encodeURIComponent(original)}`
  return `${config.PUBLIC_URL}/login${returnTo}`
}
