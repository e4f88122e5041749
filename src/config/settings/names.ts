import { colour, logo, publicName } from '../branding.ts'
import { changeable, list, optionalText, SettingProblem, text } from '../kinds.ts'
import { profileFields } from '../profile-fields.ts'
import { pageLink, publicEmail, publicLink } from '../url-kinds.ts'

const userType = (item: string) => {
  if (item === 'admin' || item === 'superadmin')
    return new SettingProblem(`"${item}" already has the rights of an administrator`)
  if (item === 'support') return new SettingProblem('"support" already has the right to read what administrators see')
  return /^[a-z][a-z0-9_-]{1,31}$/.test(item) ? item : new SettingProblem(`"${item}" is not a user type such as editor`)
}

export const brandSettings = {
  APP_NAME: changeable(publicName('Wardenry', 60, 'name shown in emails and on pages')),
  APP_LOGO: changeable(
    logo(
      'logo shown on pages, and in emails unless it is an SVG; a logo more than twice as wide as it is high replaces the name',
    ),
  ),
  APP_ACCENT: changeable(
    colour('colour of buttons and links on pages and in emails; adjusted if the contrast is too low'),
  ),
  APP_TERMS_URL: changeable(pageLink('URL of your terms, linked from every page')),
  APP_PRIVACY_URL: changeable(pageLink('URL of your privacy notice, linked from every page')),
  SUPPORT_URL: changeable(publicLink('URL of your contact page, linked from every page and email')),
  SUPPORT_EMAIL: changeable(publicEmail('your contact address, linked from every page and email')),
  DEFAULT_LANG: changeable(text('en', 'language of users who have not chosen one', { max: 35 })),
  DEFAULT_PHONE_REGION: changeable(
    optionalText('country assumed for phone numbers without +, as an ISO 3166-1 alpha-2 code'),
  ),
  PROFILE_FIELDS: profileFields(
    'optional profile fields in use, such as last_name,phone; others are hidden and not accepted',
  ),
  USER_TYPES: list(
    'additional user types with the same rights as customers; built in: superadmin, admin, support, customer and writer',
    userType,
  ),
} as const
