import type { Config } from '../../config/load.ts'
import { otherDomains } from '../../http/cookies/session-cookie.ts'
import { type DoctorFinding, notice, ok } from './finding.ts'

/** Gives advice on points that cannot be checked automatically. */
export function examineAdvice(config: Config): DoctorFinding[] {
  if (!config.isProduction) {
    const mode = `${config.NODE_ENV}: secrets are generated, and without SMTP_URL mail is kept in the development inbox.`
    return [notice('Mode', `${mode}\nSet NODE_ENV=production for real accounts.`)]
  }
  return [
    ok('HTTPS', `PUBLIC_URL is ${config.PUBLIC_URL}. Not requested: open it in a browser once the proxy runs.`),
    ...cookieAdvice(config),
    ...bridgeAdvice(config),
    ...proxyAdvice(config),
    ...reauthAdvice(config),
    ...mailAdvice(config),
  ]
}

/** With SESSION_COOKIE_DOMAIN, the operator has accepted that other hosts can set the cookie. */
function cookieAdvice(config: Config): DoctorFinding[] {
  const domains = otherDomains(config)
  if (config.SESSION_COOKIE_DOMAIN !== undefined || domains.length === 0) return []
  const name = config.SESSION_COOKIE_NAME
  const cause = `Other hosts in ${domains.join(' and ')} can set a cookie named ${name}. Browsers then send two, and get 401.`
  return [
    notice(
      'Session cookie',
      `${cause}\nSESSION_COOKIE_NAME=__Host-${name.replace(/^__Secure-/, '')} prevents this, and signs all users out once.`,
    ),
  ]
}

function bridgeAdvice({ BRIDGE_SECRET, BRIDGE_SECRETS }: Config): DoctorFinding[] {
  const names = [...(BRIDGE_SECRET ? ['default'] : []), ...BRIDGE_SECRETS.map(({ name }) => name)]
  if (BRIDGE_SECRETS.length > 0) return [ok('Bridge secrets', names.join(', '))]
  const shared = 'BRIDGE_SECRET is one secret for all back ends'
  return [
    notice(
      'Bridge secrets',
      `${shared}. With BRIDGE_SECRETS, each back end has its own, which you can rotate separately.`,
    ),
  ]
}

/** If PUBLIC_URL uses HTTPS, there must be a proxy, because the service itself speaks only HTTP. */
function proxyAdvice({ TRUSTED_PROXIES }: Config): DoctorFinding[] {
  if (TRUSTED_PROXIES.length > 0)
    return [ok('Proxies', `${TRUSTED_PROXIES.join(', ')} may report the client's address`)]
  return [
    notice('Proxies', 'TRUSTED_PROXIES is empty: behind a proxy, all clients share its address and its rate limits.'),
  ]
}

const reauthAdvice = ({ ADMIN_REAUTH }: Config): DoctorFinding[] =>
  ADMIN_REAUTH
    ? []
    : [
        notice(
          'Administrators',
          'ADMIN_REAUTH is off: a stolen session of an administrator can change users until it expires.',
        ),
      ]

const mailAdvice = ({ SMTP_URL }: Config): DoctorFinding[] =>
  SMTP_URL ? [] : [notice('Mail', 'SMTP_URL is not set: the service sends no email.')]
