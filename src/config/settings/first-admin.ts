import { optionalText } from '../kinds.ts'

export const firstAdmin = {
  ADMIN_EMAIL: optionalText('address of the first superadmin, used only while none ever existed'),
  ADMIN_PASSWORD: optionalText('password of the first superadmin', { secret: true }),
} as const
