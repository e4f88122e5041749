import type { Config } from '../config/load.ts'

type Addresses = Pick<Config, 'PUBLIC_URL'>

export const picturesPath = '/auth/pictures/'

/** The database contains only the path of an uploaded picture, so that a change of PUBLIC_URL does not break it. */
export const pictureAddress = ({ PUBLIC_URL }: Addresses, stored: string): string =>
  stored.startsWith(picturesPath) ? PUBLIC_URL + stored : stored

export const isKeptHere = ({ PUBLIC_URL }: Addresses, { href }: URL): boolean =>
  href.startsWith(new URL(PUBLIC_URL + picturesPath).href)
