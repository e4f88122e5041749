import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import type { FormProblems } from '../../../../ui/shared/form-problems.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { isUserClient } from '../../clients/sign-in-input.ts'
import type { ShownClient } from '../paths.ts'
import { oauthProblems } from '../problems.ts'
import { oauthTextsFor } from '../texts.ts'

const names = [
  ...['name', 'client_id', 'application_id', 'service_account_id', 'scopes', 'resources', 'access_ttl'],
  ...['redirect_uris', 'post_logout_uris', 'allowed_origins', 'id_token_alg', 'refresh_idle_ttl'],
  ...['refresh_absolute_ttl', 'allowed_types', 'required_permission', 'backchannel_uri', 'expected_updated_at'],
]

/** The problems of the form for clients, by the names of its fields. */
export function clientProblems(
  lang: PageLanguage,
  rejection: ApiRejection | undefined,
  type: ShownClient['type'],
): FormProblems {
  const problems = oauthProblems(lang, rejection, names)
  if (!rejection || !isUserClient(type)) return problems
  const { signIn: texts } = oauthTextsFor(lang)
  if (rejection.code === 'OAUTH_SCOPE_UNKNOWN')
    return { top: problems.top, fields: { ...problems.fields, scopes: texts.scopeProblem } }
  if (rejection.code !== 'OAUTH_REDIRECT_INVALID' || rejection.error === undefined) return problems
  // Only the API knows which of the addresses is wrong, and why.
  const sentence = fill(texts.redirectProblem, { reason: rejection.error })
  const field = rejection.details?.[0]?.field ?? 'redirect_uris'
  return { top: problems.top, fields: { ...problems.fields, [field]: sentence } }
}
