import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { person, registered } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { bridgeSecret, type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { assertError, declaredRoutes, everyCredential } from './support.ts'

/** A different limit for each class so that the header identifies the class that was counted. */
const numbers = {
  login: 11,
  registration: 12,
  token_login: 13,
  token_validate: 14,
  passkey_options: 18,
  social_login: 21,
  social_api: 22,
  cache_invalidation: 15,
  read: 16,
  write: 17,
  bridge: 100_000,
  bridge_fail: 19,
  admin: 20,
  export: 23,
  bulk: 26,
  comment: 24,
  interact: 25,
  preview_link: 27,
  api_key_write: 28,
  api_key_fail: 29,
}
type Class = keyof typeof numbers

const settings = (values: Record<string, number>, window: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, attempts]) => [`RATE_LIMIT_${name.toUpperCase()}`, `${attempts}/${window}`]),
  )

/** Each route's limit class. The test fails if a route is missing here. */
const classes: Record<string, Class> = {
  'POST /auth/login': 'login',
  'GET /auth/setup': 'read',
  'POST /auth/setup': 'login',
  'POST /auth/passkey/login/options': 'passkey_options',
  'POST /auth/passkey/login': 'login',
  'GET /auth/passkeys': 'read',
  'POST /auth/passkeys': 'write',
  'POST /auth/passkeys/options': 'write',
  'POST /auth/passkeys/upgrade/options': 'write',
  'POST /auth/passkeys/upgrade/offer': 'write',
  'PUT /auth/passkeys/:passkey_id': 'write',
  'PATCH /auth/passkeys/:passkey_id': 'write',
  'DELETE /auth/passkeys/:passkey_id': 'write',
  'POST /auth/passkey/link': 'token_validate',
  'POST /auth/register/passkey': 'registration',
  'POST /auth/register/passkey/code': 'token_login',
  'POST /auth/register/passkey/options': 'token_validate',
  'POST /auth/register': 'registration',
  'POST /auth/register/public': 'registration',
  'POST /auth/resend-verification': 'token_login',
  'POST /auth/token/login': 'token_login',
  'POST /auth/token/create': 'token_login',
  'GET /auth/token/validate': 'token_validate',
  'POST /auth/token/validate': 'token_validate',
  'POST /auth/token/verify': 'token_validate',
  'GET /auth/token/verify': 'token_validate',
  'POST /auth/password-reset/request': 'token_login',
  'POST /auth/password-reset/validate': 'token_validate',
  'GET /auth/password-reset/validate': 'token_validate',
  'GET /auth/password-reset/validate/:token': 'token_validate',
  'POST /auth/password-reset/complete': 'token_validate',
  'POST /auth/password-reset/reset': 'token_validate',
  'POST /auth/password-check': 'read',
  'POST /auth/password-change/self': 'write',
  'POST /auth/reauthenticate': 'write',
  'POST /auth/recovery/code': 'token_login',
  'POST /auth/recovery': 'token_validate',
  'GET /auth/recovery/passkeys': 'read',
  'POST /auth/recovery/passkeys': 'write',
  'POST /auth/recovery/passkeys/options': 'write',
  'POST /auth/recovery-codes': 'write',
  'POST /auth/password-change/admin': 'admin',
  'POST /auth/email-change/request': 'token_login',
  'GET /auth/email-change': 'read',
  'GET /auth/email-change/verify': 'token_validate',
  'POST /auth/email-change/verify': 'token_validate',
  'GET /auth/email-change/cancel': 'token_validate',
  'POST /auth/email-change/cancel': 'token_validate',
  'GET /auth/brand': 'read',
  'GET /auth/social/providers': 'read',
  'GET /auth/social/:provider/login': 'social_login',
  'GET /auth/social/:provider/callback': 'social_login',
  'POST /auth/social/:provider/callback': 'social_login',
  'POST /auth/social/:provider/login-api': 'social_api',
  'POST /auth/social/:provider/link': 'write',
  'GET /auth/social/accounts': 'read',
  'DELETE /auth/social/accounts/:provider': 'write',
  'POST /auth/invalidate/me': 'cache_invalidation',
  'GET /auth/bridge/events': 'bridge',
  'POST /auth/bridge/validate': 'bridge',
  'POST /auth/bridge/redeem': 'token_validate',
  'GET /auth/verify': 'bridge',
  'POST /auth/verify': 'bridge',
  'OPTIONS /auth/verify': 'bridge',
  'GET /auth/verify/for*': 'bridge',
  'POST /auth/verify/for*': 'bridge',
  'PUT /auth/verify/for*': 'bridge',
  'PATCH /auth/verify/for*': 'bridge',
  'DELETE /auth/verify/for*': 'bridge',
  'OPTIONS /auth/verify/for*': 'bridge',
  'GET /auth/user/me': 'bridge',
  'GET /auth/user/me/export': 'export',
  'GET /auth/admin/privacy/requests': 'read',
  'DELETE /auth/admin/users/:user_id/privacy/delete-request': 'admin',
  'POST /auth/admin/users/:user_id/privacy/delete-request': 'admin',
  'POST /auth/admin/users/:user_id/privacy/export': 'admin',
  'GET /auth/user/me/privacy': 'read',
  'PUT /auth/user/me/privacy': 'write',
  'PATCH /auth/user/me/privacy': 'write',
  'GET /auth/user/me/privacy/history': 'read',
  'GET /auth/user/me/privacy/export': 'export',
  'POST /auth/user/me/privacy/exports': 'export',
  'GET /auth/user/me/privacy/delete-request': 'read',
  'POST /auth/user/me/privacy/delete-request': 'export',
  'DELETE /auth/user/me/privacy/delete-request': 'write',
  'GET /auth/privacy/exports/download': 'token_validate',
  'POST /auth/privacy/exports/download': 'token_validate',
  'GET /auth/keys': 'read',
  'POST /auth/keys': 'api_key_write',
  'PUT /auth/keys/:key_id': 'api_key_write',
  'PATCH /auth/keys/:key_id': 'api_key_write',
  'POST /auth/keys/:key_id/rotate': 'api_key_write',
  'DELETE /auth/keys/:key_id': 'write',
  'POST /auth/keys/report': 'api_key_fail',
  'GET /auth/admin/service-accounts': 'admin',
  'POST /auth/admin/service-accounts': 'admin',
  'GET /auth/admin/service-accounts/:service_account_id': 'admin',
  'PUT /auth/admin/service-accounts/:service_account_id': 'admin',
  'PATCH /auth/admin/service-accounts/:service_account_id': 'admin',
  'DELETE /auth/admin/service-accounts/:service_account_id': 'admin',
  'GET /auth/admin/service-accounts/:service_account_id/keys': 'admin',
  'POST /auth/admin/service-accounts/:service_account_id/keys': 'admin',
  'PUT /auth/admin/service-accounts/:service_account_id/keys/:key_id': 'admin',
  'PATCH /auth/admin/service-accounts/:service_account_id/keys/:key_id': 'admin',
  'POST /auth/admin/service-accounts/:service_account_id/keys/:key_id/rotate': 'admin',
  'DELETE /auth/admin/service-accounts/:service_account_id/keys/:key_id': 'admin',
  'GET /auth/admin/users/:user_id/keys': 'admin',
  'DELETE /auth/admin/users/:user_id/keys': 'admin',
  'GET /auth/two_factor/system': 'read',
  'GET /auth/two_factor/methods': 'read',
  'POST /auth/two_factor/:method/setup': 'token_login',
  'POST /auth/two_factor/:method/start': 'token_login',
  'POST /auth/two_factor/verify': 'token_validate',
  'POST /auth/two_factor/toggle': 'write',
  'DELETE /auth/two_factor/:method_id': 'write',
  'POST /auth/two_factor/recovery/regenerate': 'write',
  'POST /auth/logout': 'bridge',
  'GET /auth/sessions': 'read',
  'DELETE /auth/sessions': 'write',
  'DELETE /auth/sessions/:session_id': 'write',
  'POST /auth/refresh': 'write',
  'GET /auth/validation': 'read',
  'POST /auth/validation': 'read',
  'GET /auth/session/current': 'read',
  'GET /auth/me': 'read',
  'GET /auth/profile': 'read',
  'PUT /auth/profile': 'write',
  'PATCH /auth/profile': 'write',
  'PUT /auth/user/me': 'write',
  'DELETE /auth/user/me': 'write',
  'PATCH /auth/user/me': 'write',
  'POST /auth/user/me/onboarding': 'write',
  'GET /api/v1/onboarding': 'read',
  'POST /api/v1/onboarding/start': 'write',
  'POST /api/v1/onboarding/steps/:step/complete': 'write',
  'POST /api/v1/onboarding/steps/:step/skip': 'write',
  'POST /api/v1/onboarding/complete': 'write',
  'POST /auth/upload/picture': 'write',
  'DELETE /auth/upload/picture': 'write',
  'GET /auth/pictures/:file': 'read',
  'GET /admin/audit': 'read',
  'GET /admin/security': 'read',
  'POST /admin/security/unlock': 'write',
  'GET /admin/audit/export': 'read',
  'GET /auth/admin/overview': 'admin',
  'GET /auth/admin/bridge-secrets': 'admin',
  'GET /auth/admin/lockouts': 'admin',
  'GET /auth/admin/security': 'admin',
  'POST /auth/admin/users/:user_id/unlock': 'admin',
  'GET /auth/admin/audit': 'admin',
  'GET /auth/admin/audit/seals': 'admin',
  'GET /auth/admin/audit/export': 'export',
  'GET /auth/admin/events': 'admin',
  'GET /auth/admin/application-rejections': 'admin',
  'GET /auth/admin/applications': 'admin',
  'POST /auth/admin/applications': 'admin',
  'POST /auth/admin/application-adoptions': 'admin',
  'GET /auth/admin/applications/:application_id': 'admin',
  'PUT /auth/admin/applications/:application_id': 'admin',
  'PATCH /auth/admin/applications/:application_id': 'admin',
  'DELETE /auth/admin/applications/:application_id': 'admin',
  'POST /auth/admin/applications/:application_id/enable': 'admin',
  'POST /auth/admin/applications/:application_id/disable': 'admin',
  'POST /auth/admin/applications/:application_id/restore': 'admin',
  'POST /auth/admin/applications/:application_id/test': 'admin',
  'GET /auth/admin/applications/:application_id/secrets': 'admin',
  'POST /auth/admin/applications/:application_id/secrets': 'admin',
  'PUT /auth/admin/applications/:application_id/secrets/:secret_id': 'admin',
  'PATCH /auth/admin/applications/:application_id/secrets/:secret_id': 'admin',
  'DELETE /auth/admin/applications/:application_id/secrets/:secret_id': 'admin',
  'POST /auth/admin/applications/:application_id/secrets/:secret_id/rotate': 'admin',
  'GET /auth/admin/webhooks': 'admin',
  'POST /auth/admin/webhooks': 'admin',
  'GET /auth/admin/webhooks/:webhook_id': 'admin',
  'PUT /auth/admin/webhooks/:webhook_id': 'admin',
  'PATCH /auth/admin/webhooks/:webhook_id': 'admin',
  'DELETE /auth/admin/webhooks/:webhook_id': 'admin',
  'POST /auth/admin/webhooks/:webhook_id/secret': 'admin',
  'POST /auth/admin/webhooks/:webhook_id/test': 'admin',
  'POST /auth/admin/webhooks/:webhook_id/replay': 'admin',
  'GET /auth/admin/webhooks/:webhook_id/deliveries': 'admin',
  'GET /auth/admin/webhooks/:webhook_id/deliveries/:delivery_id': 'admin',
  'GET /auth/users': 'admin',
  'POST /auth/users': 'admin',
  'GET /auth/users/search': 'admin',
  'GET /auth/users/export': 'export',
  'POST /auth/admin/users/bulk': 'bulk',
  'GET /auth/admin/users': 'admin',
  'GET /auth/admin/roles': 'admin',
  'POST /auth/admin/roles': 'admin',
  'PUT /auth/admin/roles/:role_id': 'admin',
  'PATCH /auth/admin/roles/:role_id': 'admin',
  'DELETE /auth/admin/roles/:role_id': 'admin',
  'POST /auth/admin/users': 'admin',
  'GET /auth/users/:user_id': 'admin',
  'PUT /auth/users/:user_id': 'admin',
  'PATCH /auth/users/:user_id': 'admin',
  'DELETE /auth/users/:user_id': 'admin',
  'DELETE /auth/users/:user_id/two_factor': 'admin',
  'DELETE /auth/admin/users/:user_id/passkeys': 'admin',
  'DELETE /auth/admin/users/:user_id/two_factor': 'admin',
  'GET /auth/admin/users/:user_id': 'admin',
  'PUT /auth/admin/users/:user_id': 'admin',
  'PATCH /auth/admin/users/:user_id': 'admin',
  'DELETE /auth/admin/users/:user_id': 'admin',
  'POST /auth/admin/users/:user_id/restore': 'admin',
  'POST /auth/admin/users/:user_id/block': 'admin',
  'POST /auth/admin/users/:user_id/unblock': 'admin',
  'DELETE /auth/admin/users/:user_id/sessions': 'admin',
  'DELETE /auth/admin/users/:user_id/sessions/:session_id': 'admin',
  'GET /api/v1/posts/sitemap.xml': 'read',
  'GET /api/v1/posts/sitemap': 'read',
  'GET /api/v1/posts/feed.xml': 'read',
  'GET /api/v1/posts/feed.atom': 'read',
  'GET /api/v1/posts/feed.json': 'read',
  'GET /api/v1/posts': 'read',
  'GET /api/v1/posts/categories': 'read',
  'GET /api/v1/posts/categories/:id': 'read',
  'POST /api/v1/posts/categories': 'admin',
  'PUT /api/v1/posts/categories/:id': 'admin',
  'PATCH /api/v1/posts/categories/:id': 'admin',
  'DELETE /api/v1/posts/categories/:id': 'admin',
  'GET /api/v1/posts/tags': 'read',
  'GET /api/v1/posts/tags/:id': 'read',
  'POST /api/v1/posts/tags': 'admin',
  'PUT /api/v1/posts/tags/:id': 'admin',
  'PATCH /api/v1/posts/tags/:id': 'admin',
  'DELETE /api/v1/posts/tags/:id': 'admin',
  'POST /api/v1/posts/tags/:id/merge': 'admin',
  'GET /api/v1/posts/authors': 'read',
  'GET /api/v1/posts/authors/:id': 'read',
  'GET /api/v1/posts/:slug': 'read',
  'GET /api/v1/posts/id/:id': 'read',
  'POST /api/v1/posts': 'write',
  'PUT /api/v1/posts/:id': 'write',
  'PATCH /api/v1/posts/:id': 'write',
  'DELETE /api/v1/posts/:id': 'write',
  'POST /api/v1/posts/:id/publish': 'write',
  'POST /api/v1/posts/:id/unpublish': 'write',
  'POST /api/v1/posts/:id/schedule': 'write',
  'POST /api/v1/posts/:id/restore': 'admin',
  'POST /api/v1/posts/:id/featured-image': 'write',
  'DELETE /api/v1/posts/:id/featured-image': 'write',
  'GET /api/v1/posts/:id/revisions': 'read',
  'GET /api/v1/posts/:id/revisions/:revision_id': 'read',
  'POST /api/v1/posts/:id/revisions/:revision_id/restore': 'write',
  'PUT /api/v1/posts/id/:id': 'write',
  'PATCH /api/v1/posts/id/:id': 'write',
  'DELETE /api/v1/posts/id/:id': 'write',
  'POST /api/v1/posts/id/:id/publish': 'write',
  'POST /api/v1/posts/id/:id/unpublish': 'write',
  'POST /api/v1/posts/id/:id/schedule': 'write',
  'POST /api/v1/posts/id/:id/restore': 'admin',
  'POST /api/v1/posts/id/:id/featured-image': 'write',
  'DELETE /api/v1/posts/id/:id/featured-image': 'write',
  'GET /api/v1/posts/id/:id/revisions': 'read',
  'GET /api/v1/posts/id/:id/revisions/:revision_id': 'read',
  'POST /api/v1/posts/id/:id/revisions/:revision_id/restore': 'write',
  'GET /api/v1/posts/:id/translations': 'read',
  'GET /api/v1/posts/id/:id/translations': 'read',
  'POST /api/v1/posts/:id/translations': 'write',
  'POST /api/v1/posts/id/:id/translations': 'write',
  'PUT /api/v1/posts/:id/translations/:lang': 'write',
  'PUT /api/v1/posts/id/:id/translations/:lang': 'write',
  'PATCH /api/v1/posts/:id/translations/:lang': 'write',
  'PATCH /api/v1/posts/id/:id/translations/:lang': 'write',
  'DELETE /api/v1/posts/:id/translations/:lang': 'write',
  'DELETE /api/v1/posts/id/:id/translations/:lang': 'write',
  'GET /api/v1/posts/:id/comments': 'read',
  'GET /api/v1/posts/id/:id/comments': 'read',
  'POST /api/v1/posts/:id/comments': 'comment',
  'POST /api/v1/posts/id/:id/comments': 'comment',
  'POST /api/v1/posts/:id/view': 'interact',
  'GET /api/v1/posts/:id/stats': 'read',
  'GET /api/v1/posts/:id/reactions': 'read',
  'POST /api/v1/posts/id/:id/view': 'interact',
  'GET /api/v1/posts/id/:id/stats': 'read',
  'GET /api/v1/posts/id/:id/reactions': 'read',
  'POST /api/v1/posts/:id/reactions': 'interact',
  'POST /api/v1/posts/id/:id/reactions': 'interact',
  'DELETE /api/v1/posts/:id/reactions': 'interact',
  'DELETE /api/v1/posts/id/:id/reactions': 'interact',
  'POST /api/v1/posts/:id/bookmark': 'interact',
  'POST /api/v1/posts/id/:id/bookmark': 'interact',
  'DELETE /api/v1/posts/:id/bookmark': 'interact',
  'DELETE /api/v1/posts/id/:id/bookmark': 'interact',
  'GET /api/v1/posts/comments': 'read',
  'PUT /api/v1/posts/comments/:comment_id': 'comment',
  'PATCH /api/v1/posts/comments/:comment_id': 'comment',
  'DELETE /api/v1/posts/comments/:comment_id': 'write',
  'POST /api/v1/posts/comments/:comment_id/moderate': 'write',
  'GET /api/v1/posts/me/bookmarks': 'read',
  'GET /api/v1/post-types': 'read',
  'GET /api/v1/post-types/:key': 'read',
  'GET /api/v1/post-types/:key/schema': 'read',
  'GET /api/v1/post-types/:key/posts': 'read',
  'POST /api/v1/post-types/:key/validate': 'write',
  'POST /api/v1/post-types': 'admin',
  'PUT /api/v1/post-types/:key': 'admin',
  'PATCH /api/v1/post-types/:key': 'admin',
  'DELETE /api/v1/post-types/:key': 'admin',
  'POST /api/v1/post-types/:key/activate': 'admin',
  'POST /api/v1/post-types/:key/deactivate': 'admin',
  'POST /api/v1/post-types/reorder': 'admin',
  'GET /api/v1/modules/install': 'read',
  'GET /api/v1/modules/install/status': 'read',
  'POST /api/v1/modules/install/dry-run': 'admin',
  'POST /api/v1/modules/install/run': 'admin',
  'GET /api/v1/modules/install/:module_id/status': 'read',
  'GET /api/v1/modules/install/:module_id/registry': 'read',
  'GET /api/v1/modules/install/:module_id/runs': 'read',
  'POST /api/v1/modules/install/:module_id/dry-run': 'admin',
  'POST /api/v1/modules/install/:module_id/run': 'admin',
  'POST /api/v1/modules/install/:module_id/update': 'admin',
  'POST /api/v1/modules/install/:module_id/update/dry-run': 'admin',
  'GET /health': 'read',
  'GET /health/live': 'read',
  'GET /health/ready': 'read',
  'GET /metrics': 'read',
  'GET /openapi.json': 'read',
  'GET /': 'read',
  'GET /docs': 'read',
  'GET /logo': 'read',
  'GET /favicon.ico': 'read',
  'GET /apple-touch-icon.png': 'read',
  'GET /robots.txt': 'read',
  'GET /.well-known/webauthn': 'read',
  'GET /.well-known/assetlinks.json': 'read',
  'GET /.well-known/apple-app-site-association': 'read',
  'GET /.well-known/passkey-endpoints': 'read',
  'GET /.well-known/change-password': 'read',
  'GET /login': 'read',
  'POST /login': 'write',
  'POST /login/cancel': 'write',
  'GET /login/mail': 'read',
  'POST /login/mail': 'write',
  'GET /login/code': 'read',
  'POST /login/code': 'write',
  'GET /login/verify': 'read',
  'POST /login/verify': 'write',
  'POST /login/verify/send': 'write',
  'GET /login/passkey': 'read',
  'POST /login/passkey': 'write',
  'GET /register': 'read',
  'POST /register': 'write',
  'POST /register/address': 'write',
  'GET /register/code': 'read',
  'POST /register/code': 'write',
  'POST /register/passkey': 'write',
  'GET /recover': 'read',
  'POST /recover': 'write',
  'GET /recover/codes': 'read',
  'POST /recover/codes': 'write',
  'GET /recover/passkey': 'read',
  'POST /recover/passkey': 'write',
  'POST /account/security/codes': 'write',
  'GET /verify-email': 'read',
  'POST /verify-email': 'write',
  'POST /verify-email/code': 'write',
  'GET /forgot': 'read',
  'POST /forgot': 'write',
  'GET /forgot/sent': 'read',
  'POST /forgot/sent': 'write',
  'POST /passkey-link': 'write',
  'POST /reset-password': 'write',
  'GET /setup': 'read',
  'POST /setup': 'write',
  'GET /account': 'read',
  'GET /account/profile': 'read',
  'POST /account/profile': 'write',
  'POST /account/profile/phone': 'write',
  'POST /account/profile/picture': 'write',
  'POST /account/profile/picture/remove': 'write',
  'GET /account/email': 'read',
  'POST /account/email': 'write',
  'POST /account/email/cancel': 'write',
  'POST /account/email/verify': 'write',
  'GET /account/password': 'read',
  'POST /account/password': 'write',
  'GET /account/sessions': 'read',
  'POST /account/sessions/end': 'write',
  'POST /account/sessions/end-others': 'write',
  'GET /account/confirm': 'read',
  'POST /account/confirm': 'write',
  'POST /account/confirm/send': 'write',
  'GET /account/security': 'read',
  'GET /account/security/add': 'read',
  'GET /account/security/methods/add': 'read',
  'GET /account/security/passkeys/rename': 'read',
  'GET /account/security/passkeys/remove': 'read',
  'GET /account/security/finish': 'read',
  'GET /account/security/remove': 'read',
  'GET /account/security/off': 'read',
  'GET /account/privacy': 'read',
  'GET /account/privacy/history': 'read',
  'GET /account/privacy/delete': 'read',
  'GET /account/onboarding': 'read',
  'GET /account/keys': 'read',
  'POST /account/security/on': 'write',
  'POST /account/security/recovery': 'write',
  'POST /account/security/add': 'write',
  'POST /account/security/methods/add': 'write',
  'POST /account/security/passkeys/rename': 'write',
  'POST /account/security/passkeys/remove': 'write',
  'POST /account/security/finish': 'write',
  'POST /account/security/resend': 'write',
  'POST /account/security/remove': 'write',
  'POST /account/security/remove/send': 'write',
  'POST /account/security/off': 'write',
  'POST /account/security/off/send': 'write',
  'POST /account/privacy/region': 'write',
  'POST /account/privacy/consent': 'write',
  'POST /account/privacy/sale': 'write',
  'POST /account/privacy/download': 'write',
  'POST /account/privacy/mail': 'write',
  'POST /account/privacy/delete': 'write',
  'POST /account/privacy/delete/later': 'write',
  'POST /account/privacy/delete/cancel': 'write',
  'POST /account/onboarding': 'write',
  'POST /account/keys': 'write',
  'POST /account/keys/act': 'write',
  'POST /account/onboarding/step': 'write',
  'GET /logout': 'read',
  'POST /logout': 'write',
  'POST /language': 'write',
  'GET /passkey-link': 'read',
  'GET /reset-password': 'read',
  'GET /admin/modules': 'read',
  'GET /admin/modules/:module': 'read',
  'POST /admin/modules/:module/plan': 'write',
  'POST /admin/modules/:module/run': 'write',
  'POST /admin/modules/:module/switch': 'write',
  'GET /admin/privacy': 'read',
  'POST /admin/privacy/cancel': 'write',
  'POST /admin/privacy/export': 'write',
  'GET /admin/applications': 'read',
  'GET /admin/applications/new': 'read',
  'GET /admin/applications/:application_id': 'read',
  'GET /admin/applications/:application_id/connect': 'read',
  'GET /admin/applications/:application_id/delete': 'read',
  'GET /admin/applications/:application_id/disable': 'read',
  'GET /admin/applications/:application_id/test': 'read',
  'POST /admin/applications/new': 'write',
  'POST /admin/adopt/address': 'write',
  'GET /admin/applications/:application_id/appearance': 'read',
  'POST /admin/applications/:application_id/appearance': 'write',
  'POST /admin/applications/:application_id/appearance/logo': 'write',
  'GET /admin/applications/:application_id/appearance/preview': 'read',
  'POST /admin/applications/:application_id/appearance/preview': 'write',
  'GET /admin/applications/:application_id/secrets': 'read',
  'GET /admin/applications/:application_id/rejections': 'read',
  'GET /admin/applications/rejections': 'read',
  'POST /admin/applications/:application_id/connect': 'write',
  'POST /admin/applications/:application_id/secrets': 'write',
  'POST /admin/applications/:application_id/secrets/act': 'write',
  'POST /admin/applications/:application_id/edit': 'write',
  'POST /admin/applications/:application_id/act': 'write',
  'POST /admin/applications/:application_id/test': 'write',
  'GET /admin/roles': 'read',
  'GET /admin/roles/new': 'read',
  'GET /admin/roles/:role_id': 'read',
  'GET /admin/roles/:role_id/delete': 'read',
  'POST /admin/roles/new': 'write',
  'POST /admin/roles/:role_id': 'write',
  'POST /admin/roles/:role_id/delete': 'write',
  'GET /admin/webhooks': 'read',
  'GET /admin/webhooks/:webhook_id': 'read',
  'GET /admin/webhooks/:webhook_id/delete': 'read',
  'GET /admin/webhooks/:webhook_id/deliveries/:delivery_id': 'read',
  'POST /admin/webhooks': 'write',
  'POST /admin/webhooks/:webhook_id/edit': 'write',
  'POST /admin/webhooks/:webhook_id/act': 'write',
  'POST /admin/webhooks/:webhook_id/delete': 'write',
  'GET /admin/settings': 'read',
  'GET /admin/settings/:chapter': 'read',
  'GET /admin/settings/brand': 'read',
  'GET /admin/settings/brand/preview': 'read',
  'POST /admin/settings/brand': 'write',
  'POST /admin/settings/brand/logo': 'write',
  'POST /admin/settings/brand/preview': 'write',
  'POST /admin/settings/:chapter': 'write',
  'POST /admin/settings/:chapter/picture': 'write',
  'GET /dev/inbox': 'read',
  'GET /dev/inbox.json': 'read',
  'POST /auth/admin/users/:user_id/impersonate': 'admin',
  'POST /auth/impersonation/stop': 'write',
  'POST /auth/admin/users/:user_id/send': 'admin',
  'POST /auth/admin/users/:user_id/email-change': 'admin',
  'GET /auth/admin/outbox': 'admin',
  'POST /auth/admin/outbox/retry': 'admin',
  'POST /auth/admin/outbox/:message_id/retry': 'admin',
  'GET /auth/admin/messages': 'admin',
  'GET /auth/admin/messages/:name/:lang': 'admin',
  'GET /auth/admin/messages/:name/:lang/versions': 'admin',
  'GET /auth/admin/messages/:name/:lang/versions/:version': 'admin',
  'PATCH /auth/admin/messages/:name/:lang': 'admin',
  'PUT /auth/admin/messages/:name/:lang': 'admin',
  'DELETE /auth/admin/messages/:name/:lang': 'admin',
  'POST /auth/admin/messages/:name/:lang/preview': 'admin',
  'POST /auth/admin/messages/:name/:lang/test': 'admin',
  'GET /auth/admin/settings': 'admin',
  'PATCH /auth/admin/settings': 'admin',
  'PUT /auth/admin/settings': 'admin',
  'POST /impersonation/stop': 'write',
  'GET /admin': 'read',
  'GET /admin/people': 'read',
  'GET /admin/people/new': 'read',
  'POST /admin/people/new': 'write',
  'POST /admin/bulk/people': 'write',
  'POST /admin/bulk/people/confirm': 'write',
  'GET /admin/people/export': 'read',
  'GET /admin/people/:user_id': 'read',
  'GET /admin/people/:user_id/:action': 'read',
  'POST /admin/people/:user_id/:action': 'write',
  'GET /admin/messages': 'read',
  'POST /admin/messages/retry': 'write',
  'GET /admin/messages/templates': 'read',
  'GET /admin/messages/templates/:name/:language': 'read',
  'POST /admin/messages/templates/:name/:language': 'write',
  'GET /admin/messages/templates/:name/:language/frame': 'read',
  'POST /admin/messages/templates/:name/:language/frame': 'write',
  'GET /admin/messages/templates/:name/:language/versions/:version': 'read',
  'POST /api/v1/posts/preview': 'write',
  'GET /api/v1/posts/preview/:token': 'preview_link',
  'POST /api/v1/posts/:id/preview-links': 'write',
  'GET /api/v1/posts/:id/preview-links': 'read',
  'DELETE /api/v1/posts/:id/preview-links': 'write',
  'POST /api/v1/posts/id/:id/preview-links': 'write',
  'GET /api/v1/posts/id/:id/preview-links': 'read',
  'DELETE /api/v1/posts/id/:id/preview-links': 'write',
  'GET /blog/preview/:token': 'read',
  'GET /blog': 'read',
  'GET /blog/:slug': 'read',
  'GET /blog/:place/:slug': 'read',
  'POST /blog/unlock': 'write',
  'POST /blog/comments': 'write',
  'GET /admin/content': 'read',
  'GET /admin/post-types': 'read',
  'GET /admin/post-types/new': 'read',
  'POST /admin/post-types/new': 'write',
  'GET /admin/post-types/types/:key': 'read',
  'POST /admin/post-types/types/:key': 'write',
  'POST /admin/post-types/types/:key/delete': 'write',
  'GET /admin/content/posts/:id/translations': 'read',
  'GET /admin/content/posts/:id/translations/:lang': 'read',
  'POST /admin/content/posts/:id/translations/:lang': 'write',
  'POST /admin/content/posts/:id/translations/:lang/delete': 'write',
  'GET /admin/content/tags': 'read',
  'GET /admin/content/tags/:id/merge': 'read',
  'POST /admin/content/tags/:id/merge': 'write',
  'POST /admin/content/posts/:id/preview-links': 'write',
  'POST /admin/content/posts/:id/preview-links/revoke': 'write',
  'POST /admin/content/restore': 'write',
  'GET /admin/content/new': 'read',
  'POST /admin/content/new': 'write',
  'GET /admin/content/posts/:id': 'read',
  'POST /admin/content/posts/:id': 'write',
  'POST /admin/content/posts/:id/delete': 'write',
  'POST /admin/content/posts/:id/picture': 'write',
  'POST /admin/content/posts/:id/picture/remove': 'write',
  'GET /admin/content/posts/:id/revisions': 'read',
  'GET /admin/content/posts/:id/revisions/:revision_id': 'read',
  'POST /admin/content/posts/:id/revisions/:revision_id': 'write',
  'GET /admin/content/comments': 'read',
  'POST /admin/content/comments': 'write',
}

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { ...settings(numbers, '1h'), HASH_CONCURRENCY: '1', HASH_QUEUE: '0' } })
})
after(() => app.stop())

const limitOf = ({ headers }: Reply): number => Number(headers['x-ratelimit-limit'])
const leftOf = ({ headers }: Reply): number => Number(headers['x-ratelimit-remaining'])
const asProgram = { accept: 'application/json' }

test('every route has a limit class, and every class has routes', async () => {
  const routes = declaredRoutes(app)
  assert.deepEqual(routes.map(({ method, url }) => `${method} ${url}`).toSorted(), Object.keys(classes).toSorted())
  const headers = { ...asProgram, ...(await everyCredential(app)) }
  for (const { method, url } of routes) {
    const reply = await app.call(method, url, { headers })
    assert.equal(limitOf(reply), numbers[classes[`${method} ${url}`] as Class], `${method} ${url}`)
  }
})

test('pages, unknown paths, wrong methods and preflights count as reads, and back ends without their secret as failures', async () => {
  for (const [method, url, headers] of [
    ['GET', '/auth/token/verify?token=x', { accept: 'text/html' }],
    ['HEAD', '/auth/token/verify?token=x', asProgram],
    ['GET', '/auth/token/verify?token=x', { ...asProgram, 'sec-purpose': 'prefetch' }],
    ['GET', '/nothing', asProgram],
    ['DELETE', '/auth/login', asProgram],
    ['OPTIONS', '/auth/login', asProgram],
  ] as const) {
    assert.equal(limitOf(await app.call(method, url, { headers })), numbers.read, `${method} ${url}`)
  }
  for (const headers of [
    {},
    { 'x-bridge-secret': 'wrong' },
    { 'x-bridge-secret': bridgeSecret, origin: 'https://app.example.com' },
  ]) {
    assert.equal(limitOf(await app.call('POST', '/auth/bridge/validate', { headers })), numbers.bridge_fail)
    assert.equal(limitOf(await app.call('GET', '/auth/user/me', { headers })), numbers.bridge_fail)
  }
})

test('the routes of a class share one bucket, in any spelling, whatever the answer; other addresses do not', async () => {
  const from = '203.0.113.20'
  const calls = [
    () => app.post('/auth/login', {}, { from }),
    () => app.post('/auth/login/', '{', { from }),
    () => app.post('/auth/setup', { token: 'x', email: 'x', password: 'x' }, { from }),
    () => app.post('/auth/login', 'x'.repeat(102_401), { from }),
    () => app.post('/auth/login?a=1&a=2', {}, { from }),
    () => app.post('/auth/login', [], { from }),
    () => app.post('/auth/login', { email: 1 }, { from }),
    () => app.post('/auth/login', { email: person().email, password: 'not the password' }, { from }),
  ]
  for (const [index, call] of calls.entries())
    assert.equal(leftOf(await call()), numbers.login - index - 1, `call ${index}`)
  assert.equal(leftOf(await app.post('/auth/login', {}, { from: '203.0.113.21' })), numbers.login - 1)
  assert.equal(leftOf(await app.post('/auth/register', {}, { from })), numbers.registration - 1)
})

for (const [name, method, url] of [
  ['login', 'POST', '/auth/login'],
  ['registration', 'POST', '/auth/register'],
  ['token_login', 'POST', '/auth/resend-verification'],
  ['token_validate', 'POST', '/auth/token/verify'],
  ['social_login', 'GET', '/auth/social/google/login'],
  ['social_api', 'POST', '/auth/social/google/login-api'],
  ['cache_invalidation', 'POST', '/auth/invalidate/me'],
  ['write', 'POST', '/auth/logout'],
  ['read', 'GET', '/auth/me'],
  ['bridge_fail', 'POST', '/auth/bridge/validate'],
] as const) {
  test(`of 100 requests at once exactly as many pass as the class ${name} allows`, async () => {
    const before = (await auditOf(app, 'rate_limited')).length
    const replies = await Promise.all(
      Array.from({ length: 100 }, () => app.call(method, url, { from: '203.0.113.30' })),
    )
    const limited = replies.filter(({ status }) => status === 429)
    assert.equal(100 - limited.length, numbers[name])
    for (const reply of limited) assertError(reply, 429, 'RATE_LIMITED')
    const events = (await auditOf(app, 'rate_limited')).slice(before)
    assert.deepEqual(
      events.map(({ details, outcome }) => [details, outcome]),
      [[{ class: name }, 'failure']],
    )
  })
}

test('a limited request hashes nothing and writes nothing', async () => {
  const from = '203.0.113.40'
  const ada = await registered(app)
  const registration = () => app.post('/auth/register', person(), { from })
  const login = () => app.post('/auth/login', { email: ada.email, password: ada.password }, { from })
  for (let count = 0; count < numbers.login; count++) await app.post('/auth/login', {}, { from })
  for (let count = 0; count < numbers.registration; count++) await app.post('/auth/register', {}, { from })
  await Promise.all([registration(), login()])
  const [rows, events] = [await rowCounts(app), await allEvents()]
  // Only one password is hashed at a time, and no request may wait. If these requests computed hashes, most would get
  // 503.
  const replies = await Promise.all(Array.from({ length: 40 }, (_, index) => (index % 2 ? registration() : login())))
  for (const reply of replies) assertError(reply, 429, 'RATE_LIMITED')
  assert.deepEqual(await rowCounts(app), rows)
  assert.equal(await allEvents(), events)
})

const allEvents = async (): Promise<number> => {
  const [row] = await app.database.query<{ count: number }>('SELECT count(*)::int AS count FROM audit_events', [])
  return row?.count ?? 0
}

test('the event of a window is written also when the first request too many could not be read', async () => {
  const before = (await auditOf(app, 'rate_limited')).length
  const from = '203.0.113.50'
  for (let count = 0; count < numbers.login; count++) await app.post('/auth/login', {}, { from })
  assertError(await app.post('/auth/login', '{', { from }), 400, 'VALIDATION_ERROR')
  assertError(await app.post('/auth/login', {}, { from }), 429, 'RATE_LIMITED')
  assert.equal((await auditOf(app, 'rate_limited')).length, before + 1)
})

test('after the time that Retry-After names the next request passes, in the store and in memory', async () => {
  const quick = await startTestApp({ env: { RATE_LIMIT_LOGIN: '3/2s', RATE_LIMIT_READ: '3/2s' } })
  const from = '203.0.113.60'
  const attempts = [() => quick.post('/auth/login', {}, { from }), () => quick.get('/health', { from })]
  const passesAgain = async (attempt: () => Promise<Reply>) => {
    for (const window of [1, 2]) {
      const replies = await Promise.all(Array.from({ length: 5 }, attempt))
      const limited = replies.filter(({ status }) => status === 429)
      assert.equal(limited.length, 2, `window ${window}`)
      if (window === 1) await sleep(Number(limited[0]?.headers['retry-after']) * 1000)
    }
  }
  try {
    await Promise.all(attempts.map(passesAgain))
    assert.equal((await auditOf(quick, 'rate_limited')).length, 4, 'one event for each class and window')
  } finally {
    await quick.stop()
  }
})

test('a rejection never names a time beyond the window, at whatever part of a second the window begins', async () => {
  const one = await startTestApp({ env: { RATE_LIMIT_LOGIN: '1/15m', RATE_LIMIT_READ: '1/15m' } })
  try {
    for (let part = 0; part < 10; part++) {
      one.clock.advance(101)
      const from = `203.0.113.${70 + part}`
      const ada = person().email
      const refused = [
        ...(await several(() => one.post('/auth/login', {}, { from }), 2)),
        ...(await several(() => one.get('/health', { from }), 2)),
        ...(await several(() => one.post('/auth/login', { identifier: ada, password: 'not the password' }), 6)),
      ].filter(({ status }) => status === 429)
      assert.equal(refused.length, 3)
      for (const { headers } of refused) {
        const reset = Number(headers['x-ratelimit-reset']) - Math.floor(one.clock.now() / 1000)
        const times = [Number(headers['retry-after']), reset]
        assert.ok(
          times.every((time) => time > 880 && time <= 900),
          times.join(),
        )
      }
    }
  } finally {
    await one.stop()
  }
})

async function several(attempt: () => Promise<Reply>, count: number): Promise<Reply[]> {
  const replies: Reply[] = []
  while (replies.length < count) replies.push(await attempt())
  return replies
}
