import { publicName } from '../../config/branding.ts'
import {
  bool,
  type ChangeableIn,
  changeable,
  duration,
  integer,
  list,
  oneOf,
  optionalText,
  requestLimit,
  type Setting,
  SettingProblem,
  type SettingValues,
  userTypeName,
} from '../../config/kinds.ts'
import { baseUrl } from '../../config/url-kinds.ts'
import { isPostLanguage } from '../../lib/locale.ts'

const isImageSource = (item: string): boolean =>
  item === 'https:' || (/^https?:$/.test(URL.parse(item)?.protocol ?? '') && URL.parse(item)?.origin === item)

const reactionName = (item: string) =>
  /^[a-z][a-z0-9_]{0,19}$/.test(item) ? item : new SettingProblem('must name reactions such as like: a-z, 0-9 and _')

const reactions = list('names of the 1 to 20 available reactions', reactionName)

export const blogSettings = {
  BLOG_ENABLED: changeable(bool(false, 'enable the blog; requires the blog module')),
  BLOG_DEFAULT_LANG: optionalText('language of posts that do not specify one', {
    check: (value) => (isPostLanguage(value) ? undefined : 'must be a language tag such as en or es-MX'),
    shown: 'DEFAULT_LANG',
  }),
  BLOG_PUBLIC_BASE_URL: baseUrl('{FRONTEND_URL}/blog', 'base URL of posts in feeds and the sitemap'),
  BLOG_TITLE: changeable(publicName('Blog', 120, 'title of the public pages and the feeds')),
  BLOG_PAGES: bool(true, 'enable the public pages at /blog'),
  BLOG_IMAGE_SOURCES: {
    ...list(
      "origins from which the public pages can load pictures, in addition to the service's own origin; https: allows all HTTPS origins, and a single comma allows no additional origins",
      (item) =>
        isImageSource(item) ? item : new SettingProblem('must be https: or an origin such as https://cdn.example.com'),
    ),
    fallback: ['https:'],
    shownDefault: 'https:',
  },
  BLOG_SCHEDULER_INTERVAL: duration(
    '30s',
    '5s',
    '10m',
    'how often the service publishes posts whose scheduled time has passed',
  ),
  BLOG_REVISIONS_MAX: changeable(integer(25, 0, 200, 'number of revisions to keep per post')),
  BLOG_TRASH_DAYS: changeable(
    integer(30, 0, 3650, 'number of days before deleted posts are permanently removed; 0: never'),
  ),
  WRITER_ROLES: {
    ...list('user types that can write posts; admin and superadmin always can', userTypeName),
    fallback: ['writer', 'admin', 'superadmin'],
    shownDefault: 'writer,admin,superadmin',
  },
  MODERATOR_ROLES: {
    ...list('user types that can moderate comments; admin and superadmin always can', userTypeName),
    fallback: ['moderator', 'admin', 'superadmin'],
    shownDefault: 'moderator,admin,superadmin',
  },
  POST_EDIT_APPROVAL: changeable(
    bool(false, 'edits of published posts unpublish them until approved, if the post type requires approval'),
  ),
  COMMENTS_ENABLED: changeable(bool(true, 'accept new comments; existing comments stay visible')),
  COMMENTS_REQUIRE_APPROVAL: changeable(
    oneOf(
      ['always', 'first', 'never'],
      'first',
      'which comments need approval: all (always), only those by users without an approved comment (first), or none (never)',
    ),
  ),
  COMMENTS_EDIT_WINDOW: changeable(
    duration('15m', '0s', '30d', 'how long users can edit their own comments; 0s: never'),
  ),
  REACTION_TYPES: {
    ...reactions,
    read: (text) => {
      const read = reactions.read(text)
      const isFine = read instanceof SettingProblem || (read.length > 0 && read.length <= 20)
      return isFine ? read : new SettingProblem('must name 1 to 20 reactions')
    },
    fallback: ['like', 'love', 'laugh', 'wow', 'sad', 'angry', 'clap'] as string[],
    shownDefault: 'like,love,laugh,wow,sad,angry,clap',
  } satisfies Setting<string[]>,
  RATE_LIMIT_UNLOCK: requestLimit('10/10m', 'wrong post passwords, per post and IP address'),
  RATE_LIMIT_COMMENT: requestLimit('10/10m', 'requests that create or edit comments, per IP address and per account'),
  RATE_LIMIT_INTERACT: requestLimit(
    '60/1m',
    'reactions, bookmarks and views, per IP address and, with a session, per account',
  ),
  RATE_LIMIT_PREVIEW_LINK: requestLimit('60/1m', 'requests that open a preview link of a post, per IP address'),
} as const

type BlogSettings = SettingValues<typeof blogSettings>

declare module '../../config/load.ts' {
  interface Config extends Omit<BlogSettings, 'BLOG_PUBLIC_BASE_URL'> {
    readonly BLOG_PUBLIC_BASE_URL: string
  }
  interface ChangeableSettings extends ChangeableIn<typeof blogSettings> {}
}
