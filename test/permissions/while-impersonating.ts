import { routesOf } from '../../src/http/server/create-server.ts'
import type { TestApp } from '../support/test-app.ts'
import type { Outcome, Row } from './expected.ts'

/**
 * The routes that accept the session of a superadmin acting as a user. All other routes that read the session reject
 * it.
 */
export const allowedWhileImpersonating: string[] = [
  'GET /api/v1/onboarding',
  'GET /api/v1/post-types',
  'GET /api/v1/post-types/:key',
  'GET /api/v1/post-types/:key/posts',
  'GET /api/v1/post-types/:key/schema',
  'GET /api/v1/posts',
  'GET /api/v1/posts/:id/comments',
  'GET /api/v1/posts/:id/reactions',
  'GET /api/v1/posts/:id/stats',
  'GET /api/v1/posts/:id/translations',
  'GET /api/v1/posts/:slug',
  'GET /api/v1/posts/authors',
  'GET /api/v1/posts/authors/:id',
  'GET /api/v1/posts/categories',
  'GET /api/v1/posts/categories/:id',
  'GET /api/v1/posts/id/:id',
  'GET /api/v1/posts/id/:id/comments',
  'GET /api/v1/posts/id/:id/reactions',
  'GET /api/v1/posts/id/:id/stats',
  'GET /api/v1/posts/id/:id/translations',
  'GET /api/v1/posts/me/bookmarks',
  'GET /api/v1/posts/preview/:token',
  'GET /api/v1/posts/sitemap',
  'GET /api/v1/posts/tags',
  'GET /api/v1/posts/tags/:id',
  'GET /auth/email-change',
  'GET /auth/grants',
  'GET /auth/keys',
  'GET /auth/me',
  'GET /auth/passkeys',
  'GET /auth/profile',
  'GET /auth/session/current',
  'GET /auth/sessions',
  'GET /auth/social/accounts',
  'GET /auth/two_factor/methods',
  'GET /auth/user/me',
  'GET /auth/user/me/privacy',
  'GET /auth/user/me/privacy/delete-request',
  'GET /auth/user/me/privacy/history',
  'GET /auth/validation',
  'POST /api/v1/posts/:id/view',
  'POST /api/v1/posts/id/:id/view',
  'POST /auth/impersonation/stop',
  'POST /auth/logout',
  'POST /auth/validation',
]

/** Routes that do not read the session respond as usual. */
export function whileImpersonating({ http }: TestApp, route: string, row: Row): Outcome {
  if (route === 'POST /auth/impersonation/stop') return '200'
  if (allowedWhileImpersonating.includes(route)) return row.customer
  const rule = routesOf(http).find(({ method, url }) => `${method} ${url}` === route)?.rule
  const looksAtSession = rule && rule.access.session !== 'none' && rule.access.bridge !== 'required'
  return looksAtSession && !rule.access.onlyToLink ? '403 IMPERSONATED' : row.customer
}
