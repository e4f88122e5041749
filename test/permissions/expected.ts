/** `<status>`, then the error code, or `pending` for the answer that waits for a second factor. */
export type Outcome = string

export const roles = ['customer', 'writer', 'admin', 'superadmin'] as const

/** Whoever calls, as far as a route can tell them apart: a role stands for a full session of such a user. */
export type Kind =
  | 'anonymous'
  | 'partial'
  | (typeof roles)[number]
  | 'bridge'
  | 'bridge and partial'
  | 'bridge and full'

export type Row = Record<Kind, Outcome>

const noSession = '401 INVALID_SESSION'
const noSecret = '401 BRIDGE_SECRET_REQUIRED'
const notYet = '401 TWO_FACTOR_REQUIRED'

const everyRole = (outcome: Outcome) => ({ customer: outcome, writer: outcome, admin: outcome, superadmin: outcome })

/** The bridge secret changes nothing for a route that does not ask for it. */
const bySession = (anonymous: Outcome, partial: Outcome, full: Outcome): Row => ({
  anonymous,
  partial,
  ...everyRole(full),
  bridge: anonymous,
  'bridge and partial': partial,
  'bridge and full': full,
})

/** P: the same for everyone. */
const everyone = (outcome: Outcome): Row => bySession(outcome, outcome, outcome)

/** S: a full session. S*: also a partial one, which is never told that it is signed in. */
const signedIn = bySession(noSession, notYet, '200')
const signedInOrPending = bySession(noSession, '200 pending', '200')

const bridgeOnly = (row: Pick<Row, 'bridge' | 'bridge and partial' | 'bridge and full'>): Row => ({
  anonymous: noSecret,
  partial: noSecret,
  ...everyRole(noSecret),
  ...row,
})

/** A: a full session of an admin or superadmin. */
const admins = (outcome: Outcome): Row => ({
  ...bySession(noSession, notYet, '403 FORBIDDEN'),
  admin: outcome,
  superadmin: outcome,
})

/** W: a full session of a writer. */
const writers = (outcome: Outcome): Row => ({ ...admins(outcome), writer: outcome })

const needsToken = '400 VALIDATION_ERROR'
const page = everyone('200')
/** Pages know the cookie of the browser alone. */
const elsewhere = everyone('303')
const onlyFromThisMachine = everyone('404 NOT_FOUND')

/** What each route answers to a request without a body, and to whom. A route that is not here fails the suite. */
export const expected: Record<string, Row> = {
  'POST /auth/login': everyone('400 VALIDATION_ERROR'),
  'POST /auth/passkey/login/options': everyone('200'),
  'POST /auth/passkey/login': everyone('400 VALIDATION_ERROR'),
  'POST /auth/register': everyone('400 VALIDATION_ERROR'),
  'POST /auth/register/public': everyone('400 VALIDATION_ERROR'),
  'POST /auth/logout': bySession(noSession, '200', '200'),
  'GET /auth/validation': signedInOrPending,
  'POST /auth/validation': signedInOrPending,
  'GET /auth/session/current': signedInOrPending,
  'GET /auth/me': signedInOrPending,
  'GET /auth/user/me': bridgeOnly({ bridge: noSession, 'bridge and partial': '200 pending', 'bridge and full': '200' }),
  'GET /auth/sessions': signedIn,
  'DELETE /auth/sessions': signedIn,
  'DELETE /auth/sessions/:id': bySession(noSession, notYet, '404 NOT_FOUND'),
  'POST /auth/refresh': signedIn,
  'GET /api/v1/onboarding': signedIn,
  'POST /api/v1/onboarding/start': signedIn,
  'POST /api/v1/onboarding/steps/:step/complete': bySession(noSession, notYet, '404 NOT_FOUND'),
  'POST /api/v1/onboarding/steps/:step/skip': bySession(noSession, notYet, '404 NOT_FOUND'),
  'POST /api/v1/onboarding/complete': signedIn,
  'POST /auth/user/me/onboarding': signedIn,
  'POST /auth/invalidate/me': signedIn,
  'POST /auth/upload/picture': bySession(noSession, notYet, '400 VALIDATION_ERROR'),
  'DELETE /auth/upload/picture': signedIn,
  'GET /auth/pictures/:file': everyone('404 NOT_FOUND'),
  'POST /auth/bridge/validate': bridgeOnly({
    bridge: '400 VALIDATION_ERROR',
    'bridge and partial': notYet,
    'bridge and full': '200',
  }),
  'POST /auth/resend-verification': bySession('400 VALIDATION_ERROR', '400 VALIDATION_ERROR', '200'),
  'POST /auth/token/login': everyone(needsToken),
  'POST /auth/token/create': everyone(needsToken),
  'GET /auth/token/validate': bridgeOnly({
    bridge: needsToken,
    'bridge and partial': needsToken,
    'bridge and full': needsToken,
  }),
  'POST /auth/token/validate': bridgeOnly({
    bridge: needsToken,
    'bridge and partial': needsToken,
    'bridge and full': needsToken,
  }),
  'POST /auth/email-change/request': bySession(noSession, notYet, '400 VALIDATION_ERROR'),
  'GET /auth/email-change': signedIn,
  'GET /auth/email-change/verify': everyone(needsToken),
  'POST /auth/email-change/verify': everyone(needsToken),
  'GET /auth/email-change/cancel': everyone(needsToken),
  'POST /auth/email-change/cancel': bySession(noSession, notYet, '404 NOT_FOUND'),
  'GET /auth/social/providers': everyone('200'),
  'GET /auth/social/:provider/login': everyone('404 NOT_FOUND'),
  'GET /auth/social/:provider/callback': everyone('404 NOT_FOUND'),
  'POST /auth/social/:provider/callback': everyone('404 NOT_FOUND'),
  'POST /auth/social/:provider/login-api': everyone('404 NOT_FOUND'),
  'POST /auth/social/:provider/link': bySession(noSession, notYet, '404 NOT_FOUND'),
  'GET /auth/social/accounts': signedIn,
  'DELETE /auth/social/accounts/:provider': bySession(noSession, notYet, '404 NOT_FOUND'),
  'GET /auth/token/verify': everyone(needsToken),
  'POST /auth/token/verify': everyone(needsToken),
  'GET /auth/setup': everyone(needsToken),
  'POST /auth/setup': everyone(needsToken),
  'POST /auth/password-reset/request': everyone('400 VALIDATION_ERROR'),
  'POST /auth/password-reset/validate': everyone(needsToken),
  'GET /auth/password-reset/validate': everyone(needsToken),
  'GET /auth/password-reset/validate/:token': everyone('404 NOT_FOUND'),
  'POST /auth/password-reset/complete': everyone(needsToken),
  'POST /auth/password-reset/reset': everyone(needsToken),
  'POST /auth/reauthenticate': bySession(noSession, notYet, '400 VALIDATION_ERROR'),
  'POST /auth/password-change/self': bySession(noSession, notYet, '400 VALIDATION_ERROR'),
  'POST /auth/password-change/admin': admins('400 VALIDATION_ERROR'),
  'GET /auth/profile': signedIn,
  'PUT /auth/profile': signedIn,
  'PUT /auth/user/me': signedIn,
  'GET /auth/user/me/export': signedIn,
  'DELETE /auth/user/me': { ...signedIn, superadmin: '403 LAST_SUPERADMIN' },
  'GET /auth/two_factor/system': everyone('200'),
  'GET /auth/two_factor/methods': signedIn,
  'POST /auth/two_factor/:method/setup': bySession(noSession, notYet, '404 NOT_FOUND'),
  'POST /auth/two_factor/:method/start': bySession(noSession, '404 NOT_FOUND', '404 NOT_FOUND'),
  'POST /auth/two_factor/verify': bySession(noSession, '400 VALIDATION_ERROR', '400 VALIDATION_ERROR'),
  'POST /auth/two_factor/toggle': bySession(noSession, notYet, '400 VALIDATION_ERROR'),
  'POST /auth/two_factor/recovery/regenerate': bySession(noSession, notYet, '400 TWO_FACTOR_NO_METHOD'),
  'DELETE /auth/two_factor/:id': bySession(noSession, notYet, '404 NOT_FOUND'),
  'GET /auth/admin/audit': admins('200'),
  'GET /auth/users': admins('200'),
  'GET /auth/users/search': admins('200'),
  'GET /auth/admin/users': admins('200'),
  'POST /auth/users': admins('400 VALIDATION_ERROR'),
  'POST /auth/admin/users': admins('400 VALIDATION_ERROR'),
  'GET /auth/users/:user_id': admins('404 NOT_FOUND'),
  'GET /auth/admin/users/:user_id': admins('404 NOT_FOUND'),
  'PUT /auth/users/:user_id': admins('400 VALIDATION_ERROR'),
  'PUT /auth/admin/users/:user_id': admins('400 VALIDATION_ERROR'),
  'DELETE /auth/users/:user_id': admins('404 NOT_FOUND'),
  'DELETE /auth/admin/users/:user_id': admins('404 NOT_FOUND'),
  'POST /auth/admin/users/:user_id/restore': admins('404 NOT_FOUND'),
  'DELETE /auth/admin/users/:user_id/two_factor': admins('404 NOT_FOUND'),
  'DELETE /auth/users/:user_id/two_factor': admins('404 NOT_FOUND'),
  'DELETE /auth/admin/users/:user_id/sessions': admins('404 NOT_FOUND'),
  'DELETE /auth/admin/users/:user_id/sessions/:id': admins('404 NOT_FOUND'),
  'GET /api/v1/modules/install': admins('200'),
  'GET /api/v1/modules/install/status': admins('200'),
  'POST /api/v1/modules/install/dry-run': admins('200'),
  'POST /api/v1/modules/install/run': admins('200'),
  'GET /api/v1/modules/install/:module_id/status': admins('404 NOT_FOUND'),
  'GET /api/v1/modules/install/:module_id/registry': admins('404 NOT_FOUND'),
  'POST /api/v1/modules/install/:module_id/dry-run': admins('404 NOT_FOUND'),
  'POST /api/v1/modules/install/:module_id/run': admins('404 NOT_FOUND'),
  'POST /api/v1/modules/install/:module_id/update': admins('404 NOT_FOUND'),
  'POST /api/v1/modules/install/:module_id/update/dry-run': admins('404 NOT_FOUND'),
  'GET /api/v1/posts/sitemap.xml': everyone('200'),
  'GET /api/v1/posts/sitemap': everyone('200'),
  'GET /api/v1/posts/feed.xml': everyone('200'),
  'GET /api/v1/posts/feed.atom': everyone('200'),
  'GET /api/v1/posts/feed.json': everyone('200'),
  'GET /api/v1/posts/:slug': everyone('404 NOT_FOUND'),
  'GET /api/v1/posts/id/:id': everyone('404 NOT_FOUND'),
  'POST /api/v1/posts': writers('400 VALIDATION_ERROR'),
  'PUT /api/v1/posts/:id': writers('404 NOT_FOUND'),
  'DELETE /api/v1/posts/:id': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/:id/publish': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/:id/unpublish': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/:id/schedule': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/:id/restore': admins('404 NOT_FOUND'),
  'GET /api/v1/posts/:id/revisions': writers('404 NOT_FOUND'),
  'GET /api/v1/posts/:id/revisions/:revision_id': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/:id/revisions/:revision_id/restore': writers('404 NOT_FOUND'),
  'PUT /api/v1/posts/id/:id': writers('404 NOT_FOUND'),
  'DELETE /api/v1/posts/id/:id': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/id/:id/publish': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/id/:id/unpublish': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/id/:id/schedule': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/id/:id/restore': admins('404 NOT_FOUND'),
  'GET /api/v1/posts/id/:id/revisions': writers('404 NOT_FOUND'),
  'GET /api/v1/posts/id/:id/revisions/:revision_id': writers('404 NOT_FOUND'),
  'POST /api/v1/posts/id/:id/revisions/:revision_id/restore': writers('404 NOT_FOUND'),
  'GET /auth/user/me/privacy': signedIn,
  'PUT /auth/user/me/privacy': bySession(noSession, notYet, '400 VALIDATION_ERROR'),
  'GET /auth/user/me/privacy/history': signedIn,
  'GET /auth/user/me/privacy/export': signedIn,
  'POST /auth/user/me/privacy/exports': signedIn,
  'GET /auth/user/me/privacy/delete-request': signedIn,
  'POST /auth/user/me/privacy/delete-request': { ...signedIn, superadmin: '403 LAST_SUPERADMIN' },
  'DELETE /auth/user/me/privacy/delete-request': { ...signedIn, superadmin: '404 NOT_FOUND' },
  'POST /auth/admin/users/:user_id/privacy/delete-request': admins('404 NOT_FOUND'),
  'DELETE /auth/admin/users/:user_id/privacy/delete-request': admins('404 NOT_FOUND'),
  'POST /auth/admin/users/:user_id/privacy/export': admins('404 NOT_FOUND'),
  'GET /auth/privacy/exports/download': everyone(needsToken),
  'POST /auth/privacy/exports/download': everyone(needsToken),
  'GET /health': everyone('200'),
  'GET /health/live': everyone('200'),
  'GET /health/ready': everyone('200'),
  'GET /openapi.json': everyone('200'),
  'GET /': page,
  'GET /docs': page,
  'GET /logo': everyone('404 NOT_FOUND'),
  'POST /language': everyone(needsToken),
  'GET /login': page,
  'POST /login': everyone(needsToken),
  'GET /login/mail': page,
  'POST /login/mail': everyone(needsToken),
  'POST /login/code': everyone(needsToken),
  'GET /login/verify': elsewhere,
  'POST /login/verify': everyone(needsToken),
  'POST /login/verify/send': everyone(needsToken),
  'GET /register': page,
  'POST /register': everyone(needsToken),
  'GET /verify-email': page,
  'POST /verify-email': everyone('400'),
  'GET /forgot': page,
  'POST /forgot': everyone(needsToken),
  'GET /forgot/sent': page,
  'GET /setup': everyone('404'),
  'POST /setup': everyone(needsToken),
  'GET /account': elsewhere,
  'GET /account/profile': elsewhere,
  'POST /account/profile': everyone(needsToken),
  'POST /account/profile/phone': everyone(needsToken),
  'POST /account/profile/picture': elsewhere,
  'POST /account/profile/picture/remove': elsewhere,
  'GET /account/sessions': elsewhere,
  'POST /account/sessions/end': everyone(needsToken),
  'POST /account/sessions/end-others': elsewhere,
  'GET /account/confirm': elsewhere,
  'POST /account/confirm': everyone(needsToken),
  'POST /account/confirm/send': everyone(needsToken),
  'GET /account/security': elsewhere,
  'GET /account/security/add': everyone(needsToken),
  'GET /account/security/finish': everyone(needsToken),
  'GET /account/security/remove': elsewhere,
  'GET /account/security/off': elsewhere,
  'GET /account/privacy': elsewhere,
  'GET /account/privacy/history': elsewhere,
  'GET /account/privacy/delete': elsewhere,
  'GET /account/onboarding': elsewhere,
  'POST /account/security/on': elsewhere,
  'POST /account/security/recovery': elsewhere,
  'POST /account/security/add': everyone(needsToken),
  'POST /account/security/finish': everyone(needsToken),
  'POST /account/security/resend': everyone(needsToken),
  'POST /account/security/remove': elsewhere,
  'POST /account/security/remove/send': elsewhere,
  'POST /account/security/off': elsewhere,
  'POST /account/security/off/send': elsewhere,
  'POST /account/privacy/region': everyone(needsToken),
  'POST /account/privacy/consent': everyone(needsToken),
  'POST /account/privacy/sale': everyone(needsToken),
  'POST /account/privacy/download': elsewhere,
  'POST /account/privacy/mail': elsewhere,
  'POST /account/privacy/delete': everyone(needsToken),
  'POST /account/privacy/delete/later': elsewhere,
  'POST /account/privacy/delete/cancel': elsewhere,
  'POST /account/onboarding': elsewhere,
  'POST /account/onboarding/step': everyone(needsToken),
  'POST /logout': elsewhere,
  'GET /reset-password': elsewhere,
  'POST /reset-password': everyone(needsToken),
  'GET /metrics': onlyFromThisMachine,
  'GET /dev/inbox': onlyFromThisMachine,
  'GET /dev/inbox.json': onlyFromThisMachine,
}

/** The same for clients that never had a bridge secret: a session alone is enough. */
export const expectedInCompat: Record<string, Row> = {
  'GET /auth/user/me': signedInOrPending,
  'GET /auth/token/validate': everyone(needsToken),
}
