/** What all writing shares: who may, under which name, and how often. */

import type { Sql } from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { contextKey } from '#app/api/auth/context-keys.server.ts'
import { may } from '#app/api/auth/permissions.ts'
import { requireOwner, whyNotWrite } from '#app/api/auth/require.server.ts'
import type { Owner } from '#app/api/auth/roots.server.ts'
import {
  requireUnsuspended,
  suspensionOf,
} from '#app/identity/accounts/suspension-queries.server.ts'
import type { NameChoice } from '../discussion.ts'

/** A job after the commit of a new post: checks and notifications handle it. */
export const POST_ADDED_JOB = 'post-added'
export interface PostAdded {
  kind: 'thread' | 'comment'
  id: string
}

/** Call it in the post's transaction. */
export const queuePostAdded = ({ db, jobs }: Ctx, post: PostAdded) =>
  jobs.enqueue(db, POST_ADDED_JOB, post)

/** `queuePostAdded` as part of the statement that writes the post, for each of `rows`. */
export const queuingPostAdded = ({ db, jobs }: Ctx, post: PostAdded, rows: Sql) =>
  jobs.enqueueing(db, POST_ADDED_JOB, post, rows)

/** @throws Refusal sign-in-required, second-step-needed, employer, suspended */
export async function requireWriter(ctx: Ctx): Promise<Owner> {
  // Contracts of edits ask for one's own posts only: their author may act for a company by now.
  if (!may.write(ctx.actor)) throw whyNotWrite(ctx.actor)
  const owner = requireOwner(ctx)
  requireUnsuspended(await suspensionOf(ctx, owner.root))
  return owner
}

interface Naming {
  /** Null unless chosen. */
  username: string | null
  /** Stable for a person within a thread, and unique there: the first free attempt counts. */
  pseudonym: (attempt: number) => string
}

/** The username or the pseudonym of the thread, as the author chose: never an ID (S5). */
export function namingIn(
  { actor }: Ctx,
  threadId: string,
  { root }: Owner,
  choice: NameChoice,
): Naming {
  const seed = contextKey(root, 'pseudonym', threadId)
  return {
    username: choice === 'username' ? (actor.account?.username ?? null) : null,
    pseudonym: (attempt) => pseudonymOf(seed, attempt),
  }
}

/** One form of one author, stored with its post: another request with the same key returns that post. */
export const idempotencyMark = ({ root }: Owner, idempotencyKey: string) =>
  contextKey(root, 'sending', idempotencyKey).toString('base64url')

/**
 * A hash of what was sent under an idempotency key. The key itself isn't stored, so even with our database and secret no one
 * can test guesses of the text. 16 bytes.
 */
export const sentHash = ({ root }: Owner, idempotencyKey: string, text: unknown[]) =>
  contextKey(root, 'sent', `${idempotencyKey} ${JSON.stringify(text)}`)

/** 64 moods. None can insult, none belongs to one gender or nation only. */
export const PSEUDONYM_MOODS = `Agile Airy Amiable Attentive Balmy Bold Brave Breezy Bright Brisk
  Bubbly Calm Candid Careful Cheerful Clear Clever Cozy Crisp Curious Dapper Daring Deft Eager
  Earnest Easygoing Fair Festive Frank Fresh Gentle Glad Graceful Hearty Helpful Hopeful Humble
  Jolly Keen Kind Lively Lucid Mellow Merry Mild Modest Neat Nimble Patient Peaceful Playful
  Plucky Polite Quiet Ready Serene Sincere Steady Sunny Tidy Tranquil Upbeat Warm Witty`.split(
  /\s+/,
)

/** 128 nouns of tea, food, animals, plants, weather, the office and the road. */
export const PSEUDONYM_NOUNS = `Teapot Kettle Teacup Saucer Teaspoon Samovar Biscuit Scone Crumpet
  Muffin Pretzel Waffle Pancake Honey Ginger Cinnamon Cardamom Jasmine Mint Lemon
  Heron Falcon Sparrow Ibis Puffin Kestrel Swallow Finch Robin Wren Plover Osprey Pelican Toucan
  Lark Magpie Egret Kiwi Penguin Avocet
  Otter Badger Hedgehog Lynx Marmot Koala Panda Beaver Dolphin Gecko Tortoise Squirrel Alpaca Bison
  Moose Wombat Seahorse Starfish Cricket Firefly
  Fern Maple Willow Cedar Clover Poppy Tulip Aspen Birch Lilac Lotus Thistle Acorn Juniper Bamboo
  Cactus Orchid Sequoia Pine Moss
  Breeze Drizzle Rainbow Sunbeam Cloud Snowflake Meadow River Canyon Glacier Island Pebble Comet
  Meteor Aurora Lagoon Harbor Valley Horizon Planet
  Stapler Notebook Pencil Lamp Postcard Ruler Folder Inkwell Bookmark Lantern Compass Umbrella
  Backpack Bicycle Anchor Canoe Tram Ferry Kite Balloon Violin Cello Piano Banjo Chime Puzzle
  Marble Quilt`.split(/\s+/)

/** Attempts without a number. */
export const PLAIN_NAMES = 20

const SEED_BYTES = 8

/**
 * Such as "Candid Heron": stable for a seed and attempt, and another name for the next attempt. From `PLAIN_NAMES` on it ends
 * with a number, such as "Candid Heron 2", so that one is always free.
 * @param seed at least 8 bytes, or those in hex, that no one can guess: an HMAC of person and thread
 * @param attempt from 0
 */
export function pseudonymOf(seed: Uint8Array | string, attempt: number): string {
  const bytes = typeof seed === 'string' ? bytesOf(seed) : seed
  if (bytes.length < SEED_BYTES) throw new TypeError('The seed of a pseudonym has at least 8 bytes')
  const start = numberAt(bytes, 0)
  // An odd step through a power of two meets every pair once before it repeats.
  const step = numberAt(bytes, 4) * 2 + 1
  const pairs = PSEUDONYM_MOODS.length * PSEUDONYM_NOUNS.length
  const pair = (start + (step % pairs) * (attempt % pairs)) % pairs
  const mood = PSEUDONYM_MOODS[pair % PSEUDONYM_MOODS.length]
  const noun = PSEUDONYM_NOUNS[Math.floor(pair / PSEUDONYM_MOODS.length)]
  const name = `${mood} ${noun}`
  return attempt < PLAIN_NAMES ? name : `${name} ${attempt - PLAIN_NAMES + 2}`
}

/** Four bytes as a number from 0 to 2³² - 1. */
const numberAt = (bytes: Uint8Array, at: number) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at)

function bytesOf(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) throw new TypeError('The seed of a pseudonym must be hex')
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
