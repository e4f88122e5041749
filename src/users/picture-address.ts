import type { Config } from '../config/load.ts'

type Addresses = Pick<Config, 'PUBLIC_URL'>

/** Where the service shows the pictures that it keeps itself. */
export const picturesPath = '/auth/pictures/'

/**
 * The address of a stored picture: of one that we keep only the path is stored, so that it stays right when the service
 * moves to another address.
 */
export const pictureAddress = ({ PUBLIC_URL }: Addresses, stored: string): string =>
  stored.startsWith(picturesPath) ? PUBLIC_URL + stored : stored

/** Whether an address leads to a picture that we keep. */
export const isKeptHere = ({ PUBLIC_URL }: Addresses, { href }: URL): boolean =>
  href.startsWith(new URL(PUBLIC_URL + picturesPath).href)
