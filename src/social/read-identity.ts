import { isFieldUsed } from '../config/profile-fields.ts'
import type { Context } from '../context.ts'
import { canonicalEmail, nameField, pictureField } from '../users/fields.ts'
import type { ProviderFile, ProviderIdentity, ProviderProfile } from './provider.ts'

/** Omits names, email addresses and pictures that the service does not accept from a user. */
export function readIdentity(
  { config }: Context,
  { name: provider }: ProviderFile,
  issuer: string,
  profile: ProviderProfile,
): ProviderIdentity {
  const orEmpty = (read: () => string | undefined): string => {
    try {
      return read() ?? ''
    } catch {
      return ''
    }
  }
  return {
    provider,
    issuer,
    ...profile,
    email: profile.email === undefined ? undefined : canonicalEmail(profile.email),
    name: orEmpty(() => nameField('name', profile.name)),
    lastName: isFieldUsed(config, 'last_name') ? orEmpty(() => nameField('last_name', profile.lastName)) : '',
    picture: profile.picture === '' ? '' : orEmpty(() => pictureField('picture', profile.picture, config)),
  }
}
