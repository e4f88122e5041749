import type { Config } from '../../config/load.ts'
import { type Finding, notice, ok } from './finding.ts'

/** What no check can decide, but whoever runs the service should have decided. */
export function examineAdvice(config: Config): Finding[] {
  if (!config.isProduction) {
    const mode = `${config.NODE_ENV}: secrets may be generated, and mail without SMTP_URL stays in the inbox of this machine.`
    return [notice('Mode', `${mode}\nSet NODE_ENV=production for people's accounts.`)]
  }
  return [
    ok('HTTPS', `PUBLIC_URL is ${config.PUBLIC_URL}. Not requested: open it in a browser once the proxy runs.`),
    ...bridgeAdvice(config),
    ...proxyAdvice(config),
    ...mailAdvice(config),
  ]
}

function bridgeAdvice({ BRIDGE_SECRET, BRIDGE_SECRETS }: Config): Finding[] {
  const names = [...(BRIDGE_SECRET ? ['default'] : []), ...BRIDGE_SECRETS.map(({ name }) => name)]
  if (BRIDGE_SECRETS.length > 0) return [ok('Bridge secrets', names.join(', '))]
  const shared = 'BRIDGE_SECRET is one secret for all back ends'
  return [notice('Bridge secrets', `${shared}. With BRIDGE_SECRETS each has its own, and one can be changed alone.`)]
}

/** The service speaks plain HTTP and PUBLIC_URL is https: somebody stands in between. */
function proxyAdvice({ TRUSTED_PROXIES }: Config): Finding[] {
  if (TRUSTED_PROXIES.length > 0) return [ok('Proxies', `${TRUSTED_PROXIES.join(', ')} may name the client's address`)]
  return [
    notice(
      'Proxies',
      'TRUSTED_PROXIES is empty: behind a proxy all clients share its address, and with it their limits.',
    ),
  ]
}

const mailAdvice = ({ SMTP_URL }: Config): Finding[] =>
  SMTP_URL ? [] : [notice('Mail', 'SMTP_URL is not set: no mail leaves this service.')]
