import { randomBytes } from 'node:crypto'
import { picturesPath } from '../users/picture-address.ts'

/** The name is random and contains no client input. */
export const newPictureName = (): string => `${randomBytes(16).toString('hex')}.webp`

export const thumbnailOf = (name: string): string => name.replace('.webp', '-96.webp')

/** `file` is the file name of the picture or of its thumbnail. */
export const nameOfFile = (file: string): string => file.replace('-96.webp', '.webp')

export const looksLikePictureFile = (file: string): boolean => /^[0-9a-f]{32}(-96)?\.webp$/.test(file)

export const pathOf = (name: string): string => picturesPath + name
