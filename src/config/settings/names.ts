import { list, optionalText, optionalUrl, Problem, text } from '../kinds.ts'
import { colour, logo } from '../look.ts'

const userType = (item: string) => {
  if (item === 'admin' || item === 'superadmin')
    return new Problem(`"${item}" has the rights of an administrator already`)
  return /^[a-z][a-z0-9_-]{1,31}$/.test(item) ? item : new Problem(`"${item}" is not a user type such as editor`)
}

export const names = {
  APP_NAME: text('Wardenry', 'name shown in mails and pages', { max: 60 }),
  APP_LOGO: logo(
    'picture shown on pages, and in mails unless it is an SVG; one more than twice as wide as high stands in place of the name',
  ),
  APP_ACCENT: colour(
    'colour of buttons and links on pages and in mails; made darker or lighter where it could not be read',
  ),
  APP_TERMS_URL: optionalUrl(['https:', 'http:'], 'your terms, linked on every page'),
  APP_PRIVACY_URL: optionalUrl(['https:', 'http:'], 'your privacy notice, linked on every page'),
  DEFAULT_LANG: text('en', 'language of those who chose none', { max: 35 }),
  DEFAULT_PHONE_REGION: optionalText('country of phone numbers without +, as ISO alpha-2'),
  USER_TYPES: list('user types beyond superadmin, admin, customer and writer; they have customer rights', userType),
} as const
