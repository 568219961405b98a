/**
 * A disk that forgets what wasn't synced. It records what Node does to the files in a folder, and recreates what a power
 * cut at any moment may leave. It's stricter than most file systems: a name only survives once its folder is synced, and
 * any of a file's unsynced pages may survive or not.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'

const PAGE_BYTES = 4096

type Step =
  | { what: 'write'; inode: number; position: number; data: Buffer }
  | { what: 'truncate'; inode: number; length: number }
  /** Names in a folder that change together: created, renamed or deleted. */
  | { what: 'names'; folder: number; names: [name: string, inode: number | undefined][] }
  | { what: 'sync'; inode: number }
  | { what: 'mark'; mark: string }

export interface Recording {
  /** How many steps there are so far. */
  readonly length: number
  /** Records that something was acknowledged now. */
  mark(text: string): void
  /** Everything acknowledged before this step. */
  marksBefore(step: number): string[]
  /** Writes what a cut before this step may leave into the new folder `target`. Returns what survived. */
  cutAt(step: number, target: string, random: () => number): Survival
  /** Stops recording, and makes syncs real again. */
  end(): void
}

/** What survives of the data that wasn't synced at the cut. */
export type Survival = (typeof SURVIVALS)[number]
const SURVIVALS = ['nothing', 'the first part', 'any pages'] as const

/** @param root an empty folder. Until the end, nothing is really synced to the disk, here or elsewhere. */
export function recordFiles(root: string): Recording {
  const steps: Step[] = []
  const inodes = new Map<string, number>([[root, 0]])
  const folderInodes = new Set([0])
  const opened = new Map<number, number>()
  let lastInode = 0

  const name = (path: string, inode: number | undefined) =>
    steps.push({
      what: 'names',
      folder: inodes.get(dirname(path)) as number,
      names: [[basename(path), inode]],
    })
  const isOurs = (path: unknown): path is string =>
    typeof path === 'string' && (path === root || path.startsWith(`${root}/`))
  const made = (path: unknown) => {
    if (!isOurs(path) || inodes.has(path)) return
    lastInode += 1
    inodes.set(path, lastInode)
    name(path, lastInode)
  }
  const removed = (path: unknown) => {
    if (!isOurs(path) || !inodes.has(path)) return
    for (const below of [...inodes.keys()].filter((one) => one.startsWith(`${path}/`)).reverse())
      removed(below)
    inodes.delete(path)
    name(path, undefined)
  }
  const moved = (from: unknown, to: unknown) => {
    if (!isOurs(from) || !isOurs(to)) return
    if (dirname(from) !== dirname(to)) throw new Error('Moves between folders are not recorded')
    const inode = inodes.get(from) as number
    for (const [path, one] of [...inodes])
      if (path === from || path.startsWith(`${from}/`)) {
        inodes.delete(path)
        inodes.set(to + path.slice(from.length), one)
      }
    const folder = inodes.get(dirname(to)) as number
    const names: [string, number | undefined][] = [
      [basename(from), undefined],
      [basename(to), inode],
    ]
    steps.push({ what: 'names', folder, names })
  }
  const written = (inode: number | undefined, position: number, data: Uint8Array) => {
    if (inode !== undefined) steps.push({ what: 'write', inode, position, data: Buffer.from(data) })
  }
  const truncated = (inode: number | undefined, length: number) => {
    if (inode !== undefined) steps.push({ what: 'truncate', inode, length })
  }
  const synced = (inode: number | undefined) => {
    if (inode !== undefined) steps.push({ what: 'sync', inode })
  }

  const real = { ...fs }
  const realPromises = { ...fs.promises }
  const replaced: (() => void)[] = []
  const replace = <Module extends object>(module: Module, by: Record<string, unknown>) => {
    const before = Object.fromEntries(
      Object.keys(by).map((key) => [key, module[key as keyof Module]]),
    )
    Object.assign(module, by)
    replaced.push(() => Object.assign(module, before))
  }
  const { O_TRUNC, O_CREAT } = fs.constants
  replace(fs, {
    openSync(...args: Parameters<typeof fs.openSync>) {
      const fd = real.openSync(...args)
      const [path, flags] = args
      if (isOurs(path)) {
        if (typeof flags === 'number' && flags & O_CREAT) made(path)
        if (typeof flags === 'number' && flags & O_TRUNC) truncated(inodes.get(path), 0)
        const inode = inodes.get(path)
        if (inode !== undefined) opened.set(fd, inode)
      }
      return fd
    },
    closeSync(fd: number) {
      opened.delete(fd)
      real.closeSync(fd)
    },
    writeSync(fd: number, data: Uint8Array, offset: number, length: number, position: number) {
      const count = real.writeSync(fd, data, offset, length, position)
      written(opened.get(fd), position, data.subarray(offset, offset + count))
      return count
    },
    writeFileSync(...args: Parameters<typeof fs.writeFileSync>) {
      real.writeFileSync(...args)
      const [path, data] = args
      if (!isOurs(path)) return
      made(path)
      truncated(inodes.get(path), 0)
      written(inodes.get(path), 0, Buffer.from(data as string))
    },
    ftruncateSync(fd: number, length: number) {
      real.ftruncateSync(fd, length)
      truncated(opened.get(fd), length)
    },
    truncateSync(path: string, length: number) {
      real.truncateSync(path, length)
      truncated(inodes.get(path), length)
    },
    mkdirSync(...args: Parameters<typeof fs.mkdirSync>) {
      const answer = real.mkdirSync(...args)
      made(args[0])
      if (isOurs(args[0])) folderInodes.add(inodes.get(args[0]) as number)
      return answer
    },
    renameSync(from: string, to: string) {
      real.renameSync(from, to)
      moved(from, to)
    },
    unlinkSync(path: string) {
      real.unlinkSync(path)
      removed(path)
    },
    rmdirSync(path: string) {
      real.rmdirSync(path)
      removed(path)
    },
    fsyncSync: (fd: number) => synced(opened.get(fd)),
    fdatasyncSync: (fd: number) => synced(opened.get(fd)),
  })
  replace(fs.promises, {
    async open(...args: Parameters<typeof fs.promises.open>) {
      const handle = await realPromises.open(...args)
      handle.sync = async () => synced(inodes.get(String(args[0])))
      return handle
    },
    async rename(from: string, to: string) {
      await realPromises.rename(from, to)
      moved(from, to)
    },
    async writeFile(...args: Parameters<typeof fs.promises.writeFile>) {
      await realPromises.writeFile(...args)
      const [path, data, options] = args
      if (!isOurs(path)) return
      made(path)
      truncated(inodes.get(path), 0)
      written(inodes.get(path), 0, Buffer.from(data as string))
      if ((options as { flush?: boolean } | undefined)?.flush) synced(inodes.get(path))
    },
    async mkdir(...args: Parameters<typeof fs.promises.mkdir>) {
      const answer = await realPromises.mkdir(...args)
      made(args[0])
      if (isOurs(args[0])) folderInodes.add(inodes.get(args[0]) as number)
      return answer
    },
    async link(from: string, to: string) {
      await realPromises.link(from, to)
      if (!isOurs(to)) return
      inodes.set(to, inodes.get(from) as number)
      name(to, inodes.get(from))
    },
    async unlink(path: string) {
      await realPromises.unlink(path)
      removed(path)
    },
    async rm(...args: Parameters<typeof fs.promises.rm>) {
      await realPromises.rm(...args)
      removed(args[0])
    },
  })
  syncBuiltinESMExports()

  return {
    get length() {
      return steps.length
    },
    mark: (text) => steps.push({ what: 'mark', mark: text }),
    marksBefore: (step) =>
      steps.slice(0, step).flatMap((one) => (one.what === 'mark' ? [one.mark] : [])),
    cutAt(step, target, random) {
      const survival = SURVIVALS[Math.floor(random() * SURVIVALS.length)] as Survival
      const { folders, files } = replay(steps.slice(0, step), folderInodes)
      const put = (inode: number, path: string) => {
        const names = folders.get(inode)?.left(survival, random)
        if (!names) return real.writeFileSync(path, files.get(inode)?.left(survival, random) ?? '')
        real.mkdirSync(path)
        for (const [entry, below] of names) put(below, join(path, entry))
      }
      put(0, target)
      return survival
    },
    end() {
      for (const restore of replaced) restore()
      syncBuiltinESMExports()
    },
  }
}

function replay(steps: Step[], folderInodes: Set<number>) {
  const folders = new Map([...folderInodes].map((inode) => [inode, new Folder()]))
  const files = new Map<number, File>()
  const fileOf = (inode: number) => {
    const file = files.get(inode) ?? new File()
    files.set(inode, file)
    return file
  }
  for (const step of steps)
    if (step.what === 'write') fileOf(step.inode).waiting.push(step)
    else if (step.what === 'truncate') fileOf(step.inode).waiting.push(step)
    else if (step.what === 'names') folders.get(step.folder)?.waiting.push(step.names)
    else if (step.what === 'sync') {
      folders.get(step.inode)?.sync()
      files.get(step.inode)?.sync()
    }
  return { folders, files }
}

class Folder {
  waiting: [string, number | undefined][][] = []
  #kept = new Map<string, number>()
  sync() {
    this.#apply(this.waiting.splice(0))
  }
  /** File systems keep the order in which names change. */
  left(survival: Survival, random: () => number) {
    const count = survival === 'nothing' ? 0 : Math.floor(random() * (this.waiting.length + 1))
    this.#apply(this.waiting.splice(0, count))
    return this.#kept
  }
  #apply(changes: [string, number | undefined][][]) {
    for (const [name, inode] of changes.flat())
      if (inode === undefined) this.#kept.delete(name)
      else this.#kept.set(name, inode)
  }
}

type Change = Extract<Step, { what: 'write' | 'truncate' }>

class File {
  waiting: Change[] = []
  #kept = Buffer.alloc(0)
  #length = 0
  sync() {
    for (const change of this.waiting.splice(0)) this.#apply(change)
  }
  left(survival: Survival, random: () => number) {
    if (survival !== 'nothing')
      for (const change of this.waiting.slice(0, random() * (this.waiting.length + 1)))
        if (survival === 'the first part' || change.what === 'truncate') this.#apply(change)
        else this.#applySome(change, random)
    return this.#kept.subarray(0, this.#length)
  }
  #apply(change: Change) {
    if (change.what === 'truncate') this.#resize(change.length)
    else {
      this.#resize(Math.max(this.#length, change.position + change.data.length))
      change.data.copy(this.#kept, change.position)
    }
  }
  /** The file gets its full length. A page that didn't survive keeps its old content, or zeros. */
  #applySome({ position, data }: Extract<Change, { what: 'write' }>, random: () => number) {
    this.#resize(Math.max(this.#length, position + data.length))
    for (let at = 0; at < data.length; ) {
      const end = Math.min(data.length, at + PAGE_BYTES - ((position + at) % PAGE_BYTES))
      if (random() < 0.5) data.copy(this.#kept, position + at, at, end)
      at = end
    }
  }
  #resize(length: number) {
    if (length > this.#kept.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.#kept.length))
      this.#kept.copy(larger, 0, 0, this.#length)
      this.#kept = larger
    }
    if (length < this.#length) this.#kept.fill(0, length, this.#length)
    this.#length = length
  }
}
