import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  /** The inode number. */
  directory: number
  name: string
}

/** A change that a power failure can undo until its file or directory is synced. `sync` makes changes permanent. */
export type DiskChange =
  | ({ kind: 'create'; file: number; isDirectory: boolean } & Entry)
  | ({ kind: 'link'; file: number } & Entry)
  | ({ kind: 'remove' } & Entry)
  | { kind: 'rename'; from: Entry; to: Entry }
  | { kind: 'write'; file: number; at: number }
  | { kind: 'truncate'; file: number; length: number }
  | { kind: 'sync'; file: number }

type ContentChange = { at: number; bytes: Buffer } | { length: number }
type EntryChange = { add?: [string, Node]; remove?: string }

interface FileNode {
  content: Buffer
  /** The changes since the last sync. */
  unsynced: ContentChange[]
}
interface DirectoryNode {
  entries: Map<string, Node>
  /** The current entries, including unsynced changes. */
  current: Map<string, Node>
  unsynced: EntryChange[]
}
type Node = FileNode | DirectoryNode

/**
 * `synced`: only synced changes survive. `some`: synced changes and a random subset of the others survive. `all`: all
 * changes survive, as after a process is killed.
 */
export type Survival = 'synced' | 'all' | 'some'

const sectorSize = 512

/**
 * Simulates a disk on which only synced changes are certain to survive a power failure. A write to a single sector
 * survives either completely or not at all.
 */
export class Disk {
  readonly #root: DirectoryNode = newDirectory()
  readonly #nodes = new Map<number, Node>()

  constructor(rootInode: number) {
    this.#nodes.set(rootInode, this.#root)
  }

  apply(change: DiskChange, bytes: Buffer): void {
    if (change.kind === 'create') {
      const node = change.isDirectory ? newDirectory() : { content: Buffer.alloc(0), unsynced: [] }
      this.#nodes.set(change.file, node)
      this.#changeEntries(change.directory, { add: [change.name, node] })
    } else if (change.kind === 'link') {
      this.#changeEntries(change.directory, { add: [change.name, this.#node(change.file)] })
    } else if (change.kind === 'remove') {
      this.#changeEntries(change.directory, { remove: change.name })
    } else if (change.kind === 'rename') {
      this.#rename(change.from, change.to)
    } else if (change.kind === 'sync') {
      sync(this.#node(change.file))
    } else {
      const { kind: _, file, ...rest } = change
      this.#file(file).unsynced.push('at' in rest ? { at: rest.at, bytes } : rest)
    }
  }

  /** Writes the state that a power failure at this point would leave. */
  writeTo(target: string, survival: Survival, random: () => number): void {
    const survives = () => survival === 'all' || (survival === 'some' && random() < 0.5)
    const write = (node: Node, path: string): void => {
      if (!('entries' in node)) {
        writeFileSync(path, contentOf(node, survives), { mode: 0o600 })
        return
      }
      mkdirSync(path, { recursive: true, mode: 0o700 })
      for (const [name, child] of entriesOf(node, survives)) write(child, join(path, name))
    }
    write(this.#root, target)
  }

  #node(inode: number): Node {
    const node = this.#nodes.get(inode)
    if (!node) throw new Error(`The creation of inode ${inode} is not recorded`)
    return node
  }

  #file(inode: number): FileNode {
    const node = this.#node(inode)
    if ('entries' in node) throw new Error(`Inode ${inode} is a directory`)
    return node
  }

  #directory(inode: number): DirectoryNode {
    const node = this.#node(inode)
    if (!('entries' in node)) throw new Error(`Inode ${inode} is a file`)
    return node
  }

  #changeEntries(directory: number, change: EntryChange): void {
    const node = this.#directory(directory)
    node.unsynced.push(change)
    changeEntries(node.current, change)
  }

  /** Renaming within one directory is atomic. */
  #rename(from: Entry, to: Entry): void {
    const node = this.#directory(from.directory).current.get(from.name)
    if (!node) throw new Error(`${from.name} was renamed, but its creation is not recorded`)
    const isWithin = from.directory === to.directory
    this.#changeEntries(to.directory, { add: [to.name, node], ...(isWithin && { remove: from.name }) })
    if (!isWithin) this.#changeEntries(from.directory, { remove: from.name })
  }
}

function sync(node: Node): void {
  if ('entries' in node) node.entries = new Map(node.current)
  else node.content = contentOf(node, () => true)
  node.unsynced = []
}

const newDirectory = (): DirectoryNode => ({ entries: new Map(), current: new Map(), unsynced: [] })

function changeEntries(entries: Map<string, Node>, { add, remove }: EntryChange): void {
  if (remove !== undefined) entries.delete(remove)
  if (add) entries.set(...add)
}

function entriesOf({ entries, unsynced }: DirectoryNode, survives: () => boolean): Map<string, Node> {
  const result = new Map(entries)
  for (const change of unsynced) if (survives()) changeEntries(result, change)
  return result
}

function contentOf({ content, unsynced }: FileNode, survives: () => boolean): Buffer {
  if (unsynced.length === 0) return content
  let result: Buffer = Buffer.from(content)
  for (const change of unsynced) {
    if ('length' in change) {
      if (survives()) result = resized(result, change.length)
      continue
    }
    for (const [at, sector] of sectorsOf(change)) {
      if (!survives()) continue
      if (result.length < at + sector.length) result = resized(result, at + sector.length)
      sector.copy(result, at)
    }
  }
  return result
}

function* sectorsOf({ at, bytes }: { at: number; bytes: Buffer }): Generator<[number, Buffer]> {
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + sectorSize - ((at + from) % sectorSize))
    yield [at + from, bytes.subarray(from, to)]
    from = to
  }
}

function resized(buffer: Buffer, length: number): Buffer {
  if (length <= buffer.length) return Buffer.from(buffer.subarray(0, length))
  return Buffer.concat([buffer, Buffer.alloc(length - buffer.length)])
}
