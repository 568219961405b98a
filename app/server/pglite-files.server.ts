/**
 * The embedded database's files. PGlite turns off fsync, and its files know no such operation; with both
 * put right PostgreSQL forces to the disk what it must, in its own order.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { syncFolder, syncTree } from './durable.server.ts'

type Options = PGliteOptions & { postgresqlconf: string[] }

/** What Emscripten's files are, as far as it is needed here. */
interface Module {
  FS: { isDir(mode: number): boolean }
  NODEFS: {
    node_ops: { mknod: (parent: Node, name: string, mode: number, device: number) => Node }
    stream_ops: { fsync?: (stream: { nfd: number; node: Node }) => number }
    realPath(node: Node): string
    /** Turns an error of Node into one of C. */
    tryFSOperation<Result>(work: () => Result): Result
  }
}
interface Node {
  mode: number
  parent: Node
}

interface Hooks {
  /** The engine has given up; in PostgreSQL's words why. Must not return. */
  onPanic: (why: string) => never
}

class DurableFiles extends NodeFS {
  constructor(
    dataDir: string,
    private readonly onAbort: () => void,
  ) {
    super(dataDir)
  }

  override async init(...[pg, options]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(pg, options)
    const addSync = ({ FS, NODEFS }: Module) => {
      const { mknod } = NODEFS.node_ops
      const foldersWithNew = new Set<Node>()
      NODEFS.node_ops.mknod = (parent, ...file) => {
        foldersWithNew.add(parent)
        return mknod(parent, ...file)
      }
      NODEFS.stream_ops.fsync = ({ nfd, node }) =>
        NODEFS.tryFSOperation(() => {
          // The names in a folder are more than its data.
          if (FS.isDir(node.mode)) fsyncSync(nfd)
          else fdatasyncSync(nfd)
          // PostgreSQL leaves it to the file system to keep the name of a new table's file.
          foldersWithNew.delete(node)
          if (foldersWithNew.delete(node.parent)) syncNames(NODEFS.realPath(node.parent))
          return 0
        })
    }
    return {
      emscriptenOpts: {
        ...emscriptenOpts,
        onAbort: this.onAbort,
        preRun: [...(emscriptenOpts.preRun ?? []), addSync],
      } as typeof emscriptenOpts,
    }
  }
}

/** As it goes on inside of the engine, which waits for nobody; it must hear of a failure. */
function syncNames(path: string) {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Opens the database in this folder, and makes it first if it is not there. A cut while it is made
 * leaves nothing that the next start would take for a database.
 * @param from the file of a dump with which a new one begins
 */
export async function openFiles(
  dataDir: string,
  options: Options,
  { from, onPanic }: { from: string | undefined } & Hooks,
) {
  const there = await readdir(dataDir).catch(() => [])
  if (there.length === 0) await makeFiles(dataDir, options, from)
  // Its process is gone, or this is its number: our own lock on the folder is held. The engine
  // refuses to start where a cut left the file empty.
  await rm(`${dataDir}/postmaster.pid`, { force: true })
  let why = 'it gave up'
  return PGlite.create({
    ...options,
    fs: new DurableFiles(dataDir, () => onPanic(why)),
    onStderr(line) {
      why = /PANIC: +(.*)/.exec(line)?.[1] ?? why
      return false
    },
    startParams: PGlite.defaultStartParams.filter((param) => param !== NO_FSYNC),
    // Emscripten's fdatasync does nothing, whatever the files can do.
    postgresqlconf: [...options.postgresqlconf, 'wal_sync_method = fsync'],
  })
}

const NO_FSYNC = '-F'

async function makeFiles(dataDir: string, options: Options, from?: string) {
  const draft = `${dataDir}.new`
  await rm(draft, { recursive: true, force: true })
  const database = await PGlite.create({
    ...options,
    dataDir: draft,
    ...(from && (await beginWith(from))),
  })
  await database.close()
  await syncTree(draft)
  await rename(draft, dataDir)
  await syncFolder(dirname(dataDir))
}

/** The option that makes a new database out of the file of a dump. */
export const beginWith = async (dump: string) => ({
  loadDataDir: new Blob([await readFile(dump)]),
})
