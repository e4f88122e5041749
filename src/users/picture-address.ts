import type { Config } from '../config/load.ts'

type Addresses = Pick<Config, 'PUBLIC_URL'>

export const picturesPath = '/auth/pictures/'

/** For pictures stored here, only the path is stored, so that it remains valid when PUBLIC_URL changes. */
export const pictureAddress = ({ PUBLIC_URL }: Addresses, stored: string): string =>
  stored.startsWith(picturesPath) ? PUBLIC_URL + stored : stored

export const isKeptHere = ({ PUBLIC_URL }: Addresses, { href }: URL): boolean =>
  href.startsWith(new URL(PUBLIC_URL + picturesPath).href)
