import { BackupDamaged, type BackupEnd, type BackupHeader, entryNames, formatVersion } from './format.ts'
import { isEnd, isHeader } from './header-schemas.ts'

export function assertHeader(name: string, content: Buffer): BackupHeader {
  if (name !== entryNames.header) throw new BackupDamaged('it does not begin with a description')
  const header = parseEntry<Partial<BackupHeader> | null>(content)
  if (typeof header?.format === 'number' && header.format > formatVersion)
    throw new Error(
      `The backup was made by Wardenry ${header.wardenry} in format ${header.format}. This version reads formats up ` +
        `to ${formatVersion}: install Wardenry ${header.wardenry} or later. Nothing was restored.`,
    )
  if (header?.format !== formatVersion || !isHeader(header)) throw unreadable()
  return header
}

export function assertEnd(content: Buffer): BackupEnd {
  const end = parseEntry<unknown>(content)
  if (!isEnd(end)) throw unreadable()
  return end
}

function parseEntry<Content>(content: Buffer): Content {
  try {
    return JSON.parse(content.toString()) as Content
  } catch {
    throw unreadable()
  }
}

const unreadable = () => new BackupDamaged('its description cannot be read')
