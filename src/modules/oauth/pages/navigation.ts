import type { AdminEntry, NavigationEntry } from '../../../context.ts'
import { accessPath } from './access/schemas.ts'
import { clientListPath, resourceListPath, signingKeysPath } from './paths.ts'
import { oauthTextsFor } from './texts.ts'

export const oauthNavigation = (): AdminEntry[] => [
  {
    path: clientListPath,
    label: (lang) => oauthTextsFor(lang).clients.title,
    icon: 'device',
    permission: 'applications:read',
    after: '/admin/service-accounts',
  },
  {
    path: resourceListPath,
    label: (lang) => oauthTextsFor(lang).resources.title,
    icon: 'link',
    permission: 'applications:read',
    after: clientListPath,
  },
  {
    path: signingKeysPath,
    label: (lang) => oauthTextsFor(lang).keys.title,
    icon: 'lock',
    permission: 'signing_keys:manage',
    after: resourceListPath,
  },
]

export const accountNavigation: readonly NavigationEntry[] = [
  { path: accessPath, label: (lang) => oauthTextsFor(lang).access.title, icon: 'application', after: '/account/keys' },
]
