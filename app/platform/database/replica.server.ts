/**
 * Reads from a standby, which leaves the primary more room for writes. We use it only if it has replayed
 * everything this process wrote or heard about. Each reading connection checks that itself, because one
 * address may lead to several standbys. D27.
 */
import sql from 'sql-template-tag'
import { isUnavailable, Unavailable } from '../http/unavailable.ts'
import { withDeadline } from '../http/work-limits.server.ts'
import { type Database, isDatabaseError, type OpenDatabase, PREPARED } from './database.server.ts'
import { openPostgres } from './postgres.server.ts'

const LOOK_EVERY_MS = 1_000
/** We don't read from a standby further behind than this. */
const LAG_MAX_MS = 5_000
/** If a standby takes longer to answer a check, we consider it away. */
const PATIENCE_MS = 2_000
/** Recovery canceled the statement, so the primary answers it. */
const RECOVERY_CONFLICT = '40001'
const READ_ONLY = '25006'

/** Bytes since the start of the primary's log. */
type Position = number

export interface Replica {
  /** Reads from the standby, or from the primary if the standby is behind or away. */
  reads: Database
  /** Something changed somewhere. Later reads must see it. */
  heard(): void
  /** Await it after a commit, before acknowledging it. Never throws. */
  afterWrite(): Promise<void>
  /** How many statements and transactions each one answered. */
  figures: Readonly<{ standby: number; primary: number }>
  close(): Promise<void>
}

/** A server's log position. Everything committed earlier is below it. */
const POSITION = sql`
  select pg_wal_lsn_diff(case when pg_is_in_recovery() then pg_last_wal_replay_lsn()
                              else pg_current_wal_lsn() end, '0/0')::bigint as position`

/** Thrown if the standby lacks something the reader may know about. */
class Behind extends Error {
  constructor(readonly position: Position) {
    super('The standby is behind')
  }
}

/**
 * Doesn't wait for the standby. The primary answers until it's there.
 * @param settings `now` in milliseconds
 */
export function createReplica(
  primary: Pick<OpenDatabase, keyof Database | 'eventChannel'>,
  settings: {
    url: string
    connections: number
    hasDatabaseStatementNames?: boolean
    now?: () => number
  },
): Replica {
  const { now = () => performance.now(), ...connecting } = settings
  /** Undefined while the standby is away. `probe` has its own connection, because readers may hold all others. */
  let standby: { reads: OpenDatabase; probe: OpenDatabase; isGone: Promise<never> } | undefined
  let breakOff = () => {}
  let isClosed = false
  /** The position the standby must have replayed. */
  let floor: Position = 0
  /** The primary's position LAG_MAX_MS ago, and samples of each second since. */
  let lagFloor: Position = 0
  let samples: { at: number; position: Position }[] = []
  let isLagging = false
  /** Changes whose position we don't know yet. */
  let unknown = 0
  const replayed = new WeakMap<object, Position>()
  const figures = { standby: 0, primary: 0 }

  const ask = async (db: Database) => {
    const [row] = await db.query<{ position: Position }>(POSITION, PREPARED)
    return (row as { position: Position }).position
  }
  /** We read from the primary until we know its position. Resolves after the first try. */
  async function learn() {
    unknown += 1
    if (!(await isLearned())) learnLater()
  }
  const isLearned = () =>
    ask(primary).then(
      (position) => {
        floor = Math.max(floor, position)
        unknown -= 1
        return true
      },
      () => false,
    )
  async function learnLater() {
    do await pause(LOOK_EVERY_MS)
    while (!isClosed && !(await isLearned()))
  }

  async function open() {
    const check: Parameters<typeof openPostgres>[0]['onConnection'] = async (connection, run) => {
      const wanted = Math.max(floor, lagFloor)
      if ((replayed.get(connection) ?? -1) >= wanted) return
      const { position } = (await run(POSITION.text)).rows[0] as { position: Position }
      replayed.set(connection, position)
      if (position < wanted) throw new Behind(position)
    }
    const probe = await openPostgres({ ...connecting, connections: 1 })
    const reads = await openPostgres({ ...connecting, onConnection: check }).catch((error) => {
      probe.close()
      throw error
    })
    if (isClosed) {
      await Promise.all([probe.close(), reads.close()])
      return
    }
    const isGone = new Promise<never>((_, reject) => {
      breakOff = () => reject(new Unavailable({}))
    })
    isGone.catch(() => {})
    standby = { reads, probe, isGone }
    // We didn't record changes while the standby was away.
    learn()
  }
  function leaveAlone() {
    const left = standby
    standby = undefined
    breakOff()
    for (const db of [left?.reads, left?.probe]) db?.close().catch(() => {})
  }

  async function look() {
    const position = await within(PATIENCE_MS, ask(primary)).catch(() => undefined)
    if (position !== undefined) {
      // A different primary, which never got what the old one hadn't sent.
      if (position < (samples.at(-1)?.position ?? 0)) {
        samples = []
        floor = lagFloor = position
      }
      samples.push({ at: now(), position })
    }
    while (samples[0] && now() - samples[0].at > LAG_MAX_MS)
      lagFloor = (samples.shift() as (typeof samples)[0]).position
    if (!standby) return open()
    const { probe } = standby
    await within(PATIENCE_MS, ask(probe)).then(
      (position) => {
        isLagging = position < lagFloor
      },
      () => {
        if (standby?.probe === probe) leaveAlone()
      },
    )
  }
  async function lookEachSecond() {
    while (!isClosed) {
      await look().catch(() => {})
      await pause(LOOK_EVERY_MS)
    }
  }
  lookEachSecond()

  async function read<Result>(from: (db: Database) => Promise<Result>): Promise<Result> {
    const chosen = standby
    // Without events we can't know what others deleted, so we read from the primary.
    if (chosen && !isLagging && unknown === 0 && primary.eventChannel.state !== 'deaf')
      try {
        const result = await Promise.race([from(chosen.reads), chosen.isGone])
        figures.standby += 1
        return result
      } catch (error) {
        if (!mayBeAskedElsewhere(error)) throw error
        if (isLost(error) && standby === chosen) leaveAlone()
      }
    figures.primary += 1
    return from(primary)
  }

  return {
    reads: {
      query: (statement, options) => read((db) => db.query(statement, options)),
      // Read transactions change nothing, so it's safe to run them again.
      transaction: (work) => read((db) => db.transaction(work)),
      afterCommit: primary.afterCommit,
      script: primary.script,
    },
    heard() {
      if (standby) learn()
    },
    async afterWrite() {
      if (standby) await within(PATIENCE_MS, learn()).catch(() => {})
    },
    figures,
    async close() {
      isClosed = true
      const left = standby
      standby = undefined
      await Promise.all([left?.reads.close(), left?.probe.close()])
    },
  }
}

/** Wrong or slow statements wouldn't do better on the primary. */
const mayBeAskedElsewhere = (error: unknown) =>
  error instanceof Behind ||
  isDatabaseError(error, RECOVERY_CONFLICT) ||
  (isUnavailable(error) && !isSlow(error))

const isSlow = (error: Error & { isBusy?: boolean; code?: string | undefined }) =>
  error.isBusy === true && !error.code?.startsWith('53')

/** The connection broke, not just a statement. */
const isLost = (error: unknown) =>
  isUnavailable(error) && !('isBusy' in error && error.isBusy) && error.code !== READ_ONLY

const pause = (milliseconds: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })

const within = <Result>(milliseconds: number, work: Promise<Result>) =>
  withDeadline(work, milliseconds, () => new Unavailable({}))
