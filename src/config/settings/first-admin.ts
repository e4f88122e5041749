import { optionalText } from '../kinds.ts'

export const firstAdminSettings = {
  ADMIN_EMAIL: optionalText('email address of the first superadmin; used only if no superadmin has ever existed'),
  ADMIN_PASSWORD: optionalText(
    'password of the first superadmin; used only with ADMIN_EMAIL, and not stored if PASSWORDS_ENABLED is false',
    { secret: true },
  ),
} as const
