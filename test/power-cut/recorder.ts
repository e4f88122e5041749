import fs, { type PathLike } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, relative, resolve } from 'node:path'
import type { DiskChange } from './disk.ts'
import { preloadInWorkers } from './preload.ts'

// Preloaded into a process with `--import recorder.ts?root=…&trace=…`. Appends each change to a file or directory under
// `root` to `trace` once it has happened. Also records changes made by the process's worker threads.
const self = new URL(import.meta.url)
const root = resolve(self.searchParams.get('root')!)
const trace = fs.openSync(self.searchParams.get('trace')!, 'a')
const real = { ...fs }
const realPromises = { ...fs.promises }

/**
 * A record consists of the header length, the number of bytes, the header in JSON, and the bytes. Each record is
 * written with a single call so that records from different threads are not interleaved.
 */
function record(change: DiskChange, bytes: Uint8Array = Buffer.alloc(0)): void {
  const header = Buffer.from(JSON.stringify(change))
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(header.length, 0)
  lengths.writeUInt32LE(bytes.length, 4)
  real.writeSync(trace, Buffer.concat([lengths, header, bytes]))
}

const isInside = (path: PathLike): boolean => !relative(root, resolve(String(path))).startsWith('..')
const entry = (path: PathLike) => ({
  directory: real.statSync(dirname(resolve(String(path)))).ino,
  name: basename(resolve(String(path))),
})
const recordCreation = (path: PathLike, isDirectory: boolean): void =>
  record({ kind: 'create', ...entry(path), file: real.lstatSync(path).ino, isDirectory })

/** Runs `change`, and records whether it created or truncated the file. */
function opening<Result>(path: PathLike, truncates: boolean, change: () => Result): Result {
  const isNew = !real.existsSync(path)
  const result = change()
  if (isNew) recordCreation(path, false)
  else if (truncates) record({ kind: 'truncate', file: real.statSync(path).ino, length: 0 })
  return result
}

interface OpenFile {
  file: number
  position: number
}
const openFiles = new Map<number, OpenFile>()
const truncating = (flags: unknown): boolean =>
  typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : String(flags).startsWith('w')

fs.openSync = (path, flags = 'r', mode) => {
  if (!isInside(path)) return real.openSync(path, flags, mode)
  const descriptor = opening(path, truncating(flags), () => real.openSync(path, flags, mode))
  openFiles.set(descriptor, { file: real.fstatSync(descriptor).ino, position: 0 })
  return descriptor
}
fs.closeSync = (descriptor) => {
  openFiles.delete(descriptor)
  real.closeSync(descriptor)
}
fs.writeSync = ((
  descriptor: number,
  data: Uint8Array | string,
  offset: number | null = 0,
  length?: number | null,
  position?: number | null,
) => {
  const bytes =
    typeof data === 'string' ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const part = bytes.subarray(offset ?? 0, length == null ? undefined : (offset ?? 0) + length)
  const written = real.writeSync(descriptor, part, 0, part.length, position)
  const open = openFiles.get(descriptor)
  if (open) {
    const at = position ?? open.position
    record({ kind: 'write', file: open.file, at }, part.subarray(0, written))
    open.position = at + written
  }
  return written
}) as typeof fs.writeSync
fs.ftruncateSync = (descriptor, length = 0) => {
  real.ftruncateSync(descriptor, length)
  const open = openFiles.get(descriptor)
  if (open) record({ kind: 'truncate', file: open.file, length: length ?? 0 })
}
fs.truncateSync = (path, length = 0) => {
  real.truncateSync(path, length)
  if (isInside(path)) record({ kind: 'truncate', file: real.statSync(path).ino, length: length ?? 0 })
}
for (const name of ['fsyncSync', 'fdatasyncSync'] as const)
  fs[name] = (descriptor) => {
    real[name](descriptor)
    const open = openFiles.get(descriptor)
    if (open) record({ kind: 'sync', file: open.file })
  }
fs.writeFileSync = (path, data, options) => {
  if (typeof path === 'number' || !isInside(path)) return real.writeFileSync(path, data, options)
  opening(path, true, () => real.writeFileSync(path, data, options))
  record({ kind: 'write', file: real.statSync(path).ino, at: 0 }, real.readFileSync(path))
}
fs.renameSync = (from, to) => {
  real.renameSync(from, to)
  if (isInside(to)) record({ kind: 'rename', from: entry(from), to: entry(to) })
}
for (const name of ['unlinkSync', 'rmdirSync', 'rmSync'] as const)
  fs[name] = ((path: PathLike, options?: object) => {
    const existed = isInside(path) && real.existsSync(path)
    real[name](path, options as never)
    if (existed) record({ kind: 'remove', ...entry(path) })
  }) as never
fs.mkdirSync = ((path: PathLike, options?: object) => {
  const missing = missingDirectories(String(path))
  const result = real.mkdirSync(path, options)
  for (const one of missing) recordCreation(one, true)
  return result
}) as typeof fs.mkdirSync

/** The directories in the path that do not exist, outermost first. */
function missingDirectories(path: string): string[] {
  if (!isInside(path) || resolve(path) === root || real.existsSync(path)) return []
  return [...missingDirectories(dirname(path)), path]
}

fs.promises.mkdir = (async (path: PathLike, options?: object) => fs.mkdirSync(path, options)) as never
fs.promises.rename = async (from, to) => fs.renameSync(from, to)
fs.promises.unlink = async (path) => fs.unlinkSync(path)
fs.promises.rm = async (path, options) => fs.rmSync(path, options)
fs.promises.writeFile = (async (path: PathLike, data: never, options: never) =>
  fs.writeFileSync(path, data, options)) as never
fs.promises.link = async (from, to) => {
  await realPromises.link(from, to)
  if (isInside(to)) record({ kind: 'link', file: real.statSync(to).ino, ...entry(to) })
}
fs.promises.open = (async (path: PathLike, flags: string | number = 'r', mode?: number) => {
  if (!isInside(path)) return realPromises.open(path, flags, mode)
  const isNew = !real.existsSync(path)
  const handle = await realPromises.open(path, flags, mode)
  if (isNew) recordCreation(path, false)
  const { ino: file } = real.fstatSync(handle.fd)
  const { writeFile, sync } = handle
  handle.writeFile = async (data) => {
    await writeFile.call(handle, data)
    record({ kind: 'write', file, at: 0 }, real.readFileSync(path))
  }
  handle.sync = async () => {
    await sync.call(handle)
    record({ kind: 'sync', file })
  }
  return handle
}) as never

preloadInWorkers(import.meta.url)
syncBuiltinESMExports()
