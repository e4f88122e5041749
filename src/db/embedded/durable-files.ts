import { fsyncSync } from 'node:fs'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncPath } from '../../lib/durable-write.ts'

type Init = NodeFS['init']
type Module = Parameters<NonNullable<Awaited<ReturnType<Init>>['emscriptenOpts']['preRun']>[number]>[0]

/** The parts of Emscripten's NODEFS that this file uses. The package does not declare types for them. */
interface NodeFilesystem {
  realPath(node: FileNode): string
  /** Translates Node.js errors into the engine's errno values. */
  tryFSOperation<Result>(work: () => Result): Result
  convertNodeCode(error: unknown): number | undefined
  stream_ops: { fsync?(stream: { nfd: number }): number }
  node_ops: Record<'mknod' | 'unlink' | 'rmdir' | 'symlink', (directory: FileNode, ...rest: unknown[]) => unknown> & {
    rename(file: FileNode, target: FileNode, newName: string): void
  }
}
interface FileNode {
  parent: FileNode
}

/**
 * Emscripten's NODEFS does not implement fsync. Directories are synced after each change because PostgreSQL does not
 * sync the name of a new table's file, and POSIX does not require that syncing a file also writes its name.
 */
export class DurableFiles extends NodeFS {
  override async init(...input: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(...input)
    const preRun = [...(emscriptenOpts.preRun ?? []), addSync]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

/** EIO in WASI. */
const inputOutputError = 29

function addSync({ NODEFS }: Module): void {
  const files = NODEFS as unknown as NodeFilesystem
  const { realPath, tryFSOperation, convertNodeCode, stream_ops, node_ops } = files
  // Node.js has no name for some errors, such as an exceeded quota. An undefined errno would mean success.
  files.convertNodeCode = (error) => convertNodeCode(error) ?? inputOutputError
  stream_ops.fsync = ({ nfd }) => {
    tryFSOperation(() => fsyncSync(nfd))
    return 0
  }
  const sync = (directory: FileNode) => tryFSOperation(() => syncPath(realPath(directory)))
  for (const name of ['mknod', 'unlink', 'rmdir', 'symlink'] as const) {
    const change = node_ops[name]
    node_ops[name] = (directory, ...rest) => {
      const result = change(directory, ...rest)
      sync(directory)
      return result
    }
  }
  const { rename } = node_ops
  node_ops.rename = (file, target, newName) => {
    const source = file.parent
    rename(file, target, newName)
    sync(target)
    if (source !== target) sync(source)
  }
}
