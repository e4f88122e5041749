import type { Config } from '../config/load.ts'

export type DeclaringSetting = 'ALLOWED_REDIRECTS' | 'CORS_ORIGINS' | 'FRONTEND_URL'

type Declaring = Pick<Config, DeclaringSetting | 'PUBLIC_URL'>

export interface SettingWithAddress {
  name: DeclaringSetting
  /** The values that remain without the address. FRONTEND_URL has to stay, because emails lead there. */
  rest: string[]
}

/** The settings that contain the address. */
export function settingsWith(config: Declaring, address: string): SettingWithAddress[] {
  const { ALLOWED_REDIRECTS, CORS_ORIGINS, FRONTEND_URL, PUBLIC_URL } = config
  const lists = { ALLOWED_REDIRECTS, CORS_ORIGINS } as const
  const found = (['ALLOWED_REDIRECTS', 'CORS_ORIGINS'] as const)
    .filter((name) => lists[name].includes(address))
    .map((name) => ({ name, rest: lists[name].filter((one) => one !== address) }))
  const isFrontend = FRONTEND_URL !== PUBLIC_URL && new URL(FRONTEND_URL).origin === address
  return [...found, ...(isFrontend ? [{ name: 'FRONTEND_URL' as const, rest: [FRONTEND_URL] }] : [])]
}
