/** Everything that needs the site's key: seals what we must read again, and hashes what we must find again. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { privateFolder, syncFolder } from '../folders.server.ts'
import { ConfigError } from '../operations/config.server.ts'
import type { Database } from './database.server.ts'

export interface Secrets {
  /**
   * AES-256-GCM with a fresh nonce, so sealing twice gives two texts.
   * @param context the row and column where it's stored (sealed-columns.server.ts), or a token's kind. Values in a
   * queue have none
   */
  seal(text: string, context?: string): string
  /**
   * Values from before contexts existed open with any context.
   * @throws an Error if `seal` didn't make it with the same key for the same context
   */
  open(sealed: string, context?: string): string
  /** HMAC-SHA256 with a key per purpose, in base64url. Hashes of different purposes never match. */
  hash(purpose: string, ...parts: string[]): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The prefix of a value bound to its context. */
const BOUND = '2.'
const SECRET_BYTES = 32

export const isBound = (sealed: string) => sealed.startsWith(BOUND)

/** Derives every key from the master key, one per purpose. */
export function createSecrets(masterKey: string): Secrets {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    const known = keys.get(purpose)
    if (known) return known
    const key = Buffer.from(hkdfSync('sha256', masterKey, 'kettle', purpose, 32))
    keys.set(purpose, key)
    return key
  }
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), nonce)
      if (context !== undefined) cipher.setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      const sealed = Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
      return context === undefined ? sealed : BOUND + sealed
    },
    open(sealed, context) {
      const bytes = Buffer.from(isBound(sealed) ? sealed.slice(BOUND.length) : sealed, 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keyFor('seal'),
        bytes.subarray(0, NONCE_BYTES),
        { authTagLength: TAG_BYTES },
      )
      if (isBound(sealed)) decipher.setAAD(Buffer.from(context ?? ''))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([body, decipher.final()]).toString('utf8')
    },
    hash(purpose, ...parts) {
      const hmac = createHmac('sha256', keyFor(`hash ${purpose}`))
      // Includes lengths, so ("ab", "c") and ("a", "bc") differ.
      for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:`).update(part)
      return hmac.digest('base64url')
    },
  }
}

/**
 * The JSON in a token that `seal` made for this context. Undefined for any other text, because
 * unbound ones would open in any context.
 */
export function openToken(secrets: Pick<Secrets, 'open'>, token: string, context: string): unknown {
  if (!isBound(token)) return undefined
  try {
    return JSON.parse(secrets.open(token, context))
  } catch {
    return undefined
  }
}

/** Reads the key from SECRET_KEY, or the one that's been in `dataDir` since the first start. */
export async function readSecrets(config: { secretKey?: string; dataDir: string }) {
  const make = () => randomBytes(SECRET_BYTES).toString('base64url')
  return createSecrets(config.secretKey ?? (await storedFile(config.dataDir, 'secret.key', make)))
}

/**
 * Reads a file that only this user can read, and creates it if it's missing. Processes that start
 * together agree on one.
 */
export async function storedFile(
  folder: string,
  name: string,
  make: () => string | Promise<string>,
) {
  await privateFolder(folder)
  const path = join(folder, name)
  if (!existsSync(path)) {
    const draft = `${path}.${randomBytes(6).toString('hex')}`
    await writeFile(draft, await make(), { flag: 'wx', mode: 0o600, flush: true })
    // The file appears complete or not at all, and never replaces another process's file.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await unlink(draft)
  }
  // Sync even if another process created the file: if its name got lost, so would everything sealed with its
  // secret.
  await syncFolder(folder)
  const content = (await readFile(path, 'utf8')).trim()
  if (content === '') throw new ConfigError(`The file ${path} is empty. Restore it from a copy.`)
  return content
}

/**
 * A database remembers the key it was created with. @throws ConfigError for another key, which
 * can't read or find its data
 */
export async function checkSecrets(db: Database, secrets: Secrets) {
  const mark = secrets.hash('key check')
  await db.query(
    sql`insert into key_checks (name, mark) values ('secret', ${mark}) on conflict do nothing`,
  )
  const [known] = await db.query<{ mark: string }>(
    sql`select mark from key_checks where name = 'secret'`,
  )
  if (known?.mark !== mark)
    throw new ConfigError(
      'This database was made with a different secret key. Set SECRET_KEY to that one, or put its secret.key back into DATA_DIR.',
    )
}
