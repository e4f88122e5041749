import { randomBytes } from 'node:crypto'
import type { Config } from '../config/load.ts'

type Addresses = Pick<Config, 'PUBLIC_URL'>

const picturesPath = '/auth/pictures/'

/** The database contains only the path of an uploaded picture so that changing PUBLIC_URL does not break the link. */
export const pictureAddress = ({ PUBLIC_URL }: Addresses, stored: string): string =>
  stored.startsWith(picturesPath) ? PUBLIC_URL + stored : stored

export const isKeptHere = ({ PUBLIC_URL }: Addresses, { href }: URL): boolean =>
  href.startsWith(new URL(PUBLIC_URL + picturesPath).href)

/** The name is random and contains no client input. */
export const newPictureName = (): string => `${randomBytes(16).toString('hex')}.webp`

export const thumbnailOf = (name: string): string => name.replace('.webp', '-96.webp')

/** `file` is the file name of the picture or its thumbnail. */
export const nameOfFile = (file: string): string => file.replace('-96.webp', '.webp')

export const looksLikePictureFile = (file: string): boolean => /^[0-9a-f]{32}(-96)?\.webp$/.test(file)

export const pathOf = (name: string): string => picturesPath + name
