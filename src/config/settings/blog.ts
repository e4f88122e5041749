import { isPostLanguage } from '../../lib/locale.ts'
import { baseUrl, bool, duration, integer, list, oneOf, optionalText, Problem, text } from '../kinds.ts'
import { userTypeName } from '../passkey-kinds.ts'

const reactionName = (item: string) =>
  /^[a-z][a-z0-9_]{0,19}$/.test(item) ? item : new Problem('must name reactions such as like: a-z, 0-9 and _')

export const blog = {
  BLOG_ENABLED: bool(false, 'whether the module blog, once installed, is on'),
  BLOG_DEFAULT_LANG: optionalText('language of posts that name none', {
    check: (value) => (isPostLanguage(value) ? undefined : 'must be a language tag such as en or es-MX'),
    shown: 'DEFAULT_LANG',
  }),
  BLOG_PUBLIC_BASE_URL: baseUrl('{FRONTEND_URL}/blog', 'where posts are read: their addresses in feeds and sitemap'),
  BLOG_TITLE: text('Blog', 'title of the feeds', { max: 120 }),
  BLOG_SCHEDULER_INTERVAL: duration('30s', '5s', '10m', 'how often scheduled posts that are due are published'),
  BLOG_REVISIONS_MAX: integer(25, 0, 200, 'revisions kept of each post'),
  BLOG_TRASH_DAYS: integer(30, 0, 3650, 'days after which deleted posts are gone for good; 0: never'),
  WRITER_ROLES: {
    ...list('user types that write posts, beside admin and superadmin', userTypeName),
    fallback: ['writer', 'admin', 'superadmin'],
    shownDefault: 'writer,admin,superadmin',
  },
  MODERATOR_ROLES: {
    ...list('user types that moderate comments, beside admin and superadmin', userTypeName),
    fallback: ['moderator', 'admin', 'superadmin'],
    shownDefault: 'moderator,admin,superadmin',
  },
  COMMENTS_ENABLED: bool(true, 'whether new comments are taken; there are always those that are there'),
  COMMENTS_REQUIRE_APPROVAL: oneOf(
    ['always', 'first', 'never'],
    'first',
    'comments that wait for a moderator: all, those of people without an approved one, or none',
  ),
  COMMENTS_EDIT_WINDOW: duration('15m', '0s', '30d', 'how long people may change their own comments; 0s: never'),
  REACTION_TYPES: {
    ...list('reactions that people choose from, 1 to 20', reactionName),
    fallback: ['like', 'love', 'laugh', 'wow', 'sad', 'angry', 'clap'] as string[],
    shownDefault: 'like,love,laugh,wow,sad,angry,clap',
  },

  POST_TYPES_ENABLED: bool(false, 'whether the module post-types, once installed, is on; needs BLOG_ENABLED'),
  POST_TYPES_CACHE_TTL: duration('300s', '0s', '1h', 'definitions of post types are served from a copy for this long'),
  POST_TYPES_FRESH_CACHE_MODE: bool(false, 'read definitions of post types from the database every time'),
} as const
