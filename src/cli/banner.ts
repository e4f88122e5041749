import type { Config } from '../config/load.ts'
import { version } from '../lib/version.ts'

export function banner(config: Config, setupLink: string | undefined): string {
  const address = config.PUBLIC_URL
  // Only generated secrets are shown. The operator already knows configured secrets, and they must not appear in a log.
  const isOurs = config.generated.includes('BRIDGE_SECRET')
  const lines = [
    '',
    `  ${config.APP_NAME} is ready`,
    '',
    `  Version            ${version}`,
    `  Address            ${address}`,
    config.DOCS_PAGE !== 'off' && `  API page           ${address}/docs`,
    !config.SMTP_URL && `  Development inbox  ${address}/dev/inbox`,
    isOurs && `  Bridge secret      ${config.BRIDGE_SECRET}`,
    isOurs && '                     (your back end sends it in the header X-Bridge-Secret)',
    ...setupLines(setupLink),
    ...notices(config).map((notice) => `\n  ${notice.replaceAll('. ', '.\n  ')}`),
    '',
  ]
  return `${lines.filter((line) => typeof line === 'string').join('\n')}\n`
}

export const setupLines = (setupLink: string | undefined): string[] =>
  setupLink
    ? [
        `  First superadmin   ${setupLink}`,
        '                     (single use, valid for 30 minutes; each start prints a new one)',
      ]
    : []

/** Returns a notice for each setting that is suitable only for trying out the service. */
export function notices(config: Config): string[] {
  const all = [
    config.relaxed.length > 0 &&
      'Rate limits are 100 times as high as in production. To change one, set it, for example RATE_LIMIT_REGISTRATION=3/1h.',
    config.isProduction && !config.SMTP_URL && 'SMTP_URL is not set: the service sends no email.',
  ]
  return all.filter((line) => typeof line === 'string')
}
