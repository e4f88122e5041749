import { type AccountArea, accountText, renderAccountLayout } from '../../../ui/account/layout.ts'
import type { OverviewPart } from '../../../ui/account/overview-part.ts'
import { securityPath } from '../../../ui/paths.ts'
import { type AccountPortrait, type AccountProfile, nameOf } from '../../../ui/shared/profile.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export interface OverviewPage {
  area: AccountArea
  profile: AccountProfile
  portrait: AccountPortrait
  /** Whether the installation has passwords. */
  hasPasswords: boolean
  hasPasskeys: boolean
  /** The parts that modules add. */
  parts: OverviewPart[]
  /** Whether the browser may create a passkey without asking the user. */
  upgrades?: boolean
  /** The result of the last action as a code. `accountText` returns the text for the code. */
  done?: string | undefined
}

export function overviewPage(
  { area, profile, portrait, hasPasswords, hasPasskeys, parts, upgrades, done }: OverviewPage,
  page: PageContext,
): string {
  const { account } = textsFor(page.lang)
  const { user, has_password: hasPassword } = profile
  const texts = account.overview
  const data = {
    texts,
    user,
    name: nameOf(user),
    portrait,
    hasPasswords,
    hasPasskeys,
    securityPath,
    password: hasPassword ? texts.isSet : texts.isNotSet,
    passwordLink: hasPassword ? texts.changePassword : texts.setPassword,
    notices: parts.flatMap(({ notice }) => notice?.(page.lang) ?? []),
    rows: parts.flatMap(({ row }) => row?.(page.lang) ?? []),
    consolePath: area.console?.path,
    consoleText: area.console?.path === '/admin' ? texts.consoleText : texts.someConsoleText,
  }
  return renderAccountLayout(
    area,
    {
      template: new URL('./overview.eta', import.meta.url),
      title: account.title,
      ...(upgrades && { scripts: ['passkey-upgrade.js'] }),
      done: accountText(account.done, done),
      data,
    },
    page,
  )
}
