import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'

// The file has the format of the Have I Been Pwned downloader: sorted SHA-1 hashes, one per line, with or without
// `:<count>`. It may be tens of gigabytes in size, so the search reads only a few small parts.

const maxLine = 64
const scanned = 4_096
const samples = 64
const line = /^([0-9A-F]{40})(?::(\d{1,15}))?$/i

type ReadAt = (position: number, length: number) => Promise<string> | string

/** Lines with a count of zero do not match. */
export async function isInHashList(path: string, digits: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const readAt = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
      return buffer.toString('latin1', 0, bytesRead)
    }
    return await search(readAt, size, digits.toUpperCase())
  } finally {
    await file.close()
  }
}

async function search(readAt: ReadAt, size: number, digits: string): Promise<boolean> {
  let [from, to] = [0, size]
  while (to - from > scanned) {
    const middle = Math.floor((from + to) / 2)
    const next = await nextLine(readAt, middle)
    if (next !== undefined && next.start < to && next.digits <= digits) from = next.start
    else to = middle + 1
  }
  const lines = (await readAt(from, to - from + maxLine)).split('\n')
  const [, , count = '1'] = lines
    .map((text) => line.exec(text.trim()))
    .find((found) => found?.[1]?.toUpperCase() === digits) ?? ['', '', '0']
  return Number(count) > 0
}

async function nextLine(readAt: ReadAt, position: number) {
  const found = lineIn(await readAt(position, 2 * maxLine))
  if (found === 'unusable') throw new Error('the list of breached passwords contains a line that is not a hash')
  return found && { start: position + found.offset, digits: found.digits }
}

function lineIn(text: string): { offset: number; digits: string } | 'unusable' | undefined {
  const offset = text.indexOf('\n') + 1
  if (offset === 0) return text.length < maxLine ? undefined : 'unusable'
  const [rest = ''] = text.slice(offset).split('\n')
  if (rest.trim() === '') return undefined
  const digits = line.exec(rest.trim())?.[1]
  return digits === undefined ? 'unusable' : { offset, digits: digits.toUpperCase() }
}

export function hashListProblem(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      return sampleProblem(file)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return `names a file that cannot be read (${(error as NodeJS.ErrnoException).code}): ${path}`
  }
}

function sampleProblem(file: number): string | undefined {
  const { size } = fstatSync(file)
  const readAt = (position: number, length: number): string => {
    const bytes = Buffer.alloc(length)
    return bytes.toString('latin1', 0, readSync(file, bytes, 0, length, position))
  }
  const [first = ''] = readAt(0, 2 * maxLine).split('\n')
  if (/^[0-9A-F]{32}(:|\s|$)/i.test(first)) return 'names a list of NTLM hashes: SHA-1 hashes are needed'
  const isHash = line.exec(first.trim())
  if (!isHash) return `names a file without one SHA-1 hash per line, such as ${'0'.repeat(39)}1:7`
  let last = isHash[1]!.toUpperCase()
  const positions = Array.from({ length: samples }, (_, index) => Math.floor((size * index) / samples))
  for (const position of [...firstStarts(readAt(0, scanned)), ...positions].toSorted((one, other) => one - other)) {
    const found = lineIn(readAt(position, 2 * maxLine))
    if (found === undefined) continue
    if (found === 'unusable') return `names a file with a line that is not a SHA-1 hash, after byte ${position}`
    if (found.digits < last) return `names a list that is not sorted by hash, after byte ${position}`
    last = found.digits
  }
  return undefined
}

const firstStarts = (text: string): number[] =>
  [...text.matchAll(/\n/g)].map(({ index }) => index).filter((index) => index < text.length - 2 * maxLine)
