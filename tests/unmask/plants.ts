/**
 * Eighteen leaks, each planted in the running site's database, or next to it, at the moment when a careless program would
 * write it. Each has its own table or file, so one life serves all of them, and the site's own data can be measured without
 * them.
 */
import { createHash } from 'node:crypto'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { ratingTag } from '#app/ratings/rating-tag.server.ts'
import { type Attack, byClocks, byJoins } from './attacks.ts'
import type { Clock, Evidence, Family } from './evidence.ts'
import type { Happening } from './life.ts'
import type { Loot, Paper } from './loot.ts'
import type { Town } from './town.ts'
import type { Truth } from './truth.ts'

/** What a fault of the site could know. */
interface Site {
  authorOf(post: string): number | undefined
  secrets: Secrets
}

export interface Plant {
  leak: string
  question: string
  /** Only covers ratings of the last day, because only those can be dated. */
  isOfLastDay?: true
  /** Can't be found without the site's key. */
  needsKeys?: boolean
  /** What a fault would make the database run when this happens. */
  statements?: (happening: Happening, site: Site) => string | undefined
  table?: string
  columns?: string
  paper?: (happening: Happening, town: Town) => string | undefined
  attack: (evidence: Evidence, truth: Truth) => Attack
}

const quoted = (value: string | undefined) => `'${value}'`
const momentOf = ({ act }: Happening) => quoted(new Date(act.at).toISOString())
const isRating = ({ act, id }: Happening) => act.deed.kind === 'rate' && id !== undefined
const isPost = ({ act, id }: Happening) => id !== undefined && act.deed.kind !== 'rate'

/** The account, whether its token came with it or not. */
const writerOf = ({ accountId, raterId }: Happening) => accountId ?? raterId
/** A value as long and random as a key. */
const keyOf = (...of: (string | undefined)[]) =>
  createHash('sha256').update(of.join(' ')).digest('hex').slice(0, 32)
/** Two rows with a word in common: one for an account, one for a rating. */
const tied = (table: string, it: Happening, word: string) =>
  `insert into ${table} (id, account_id, word)
   values (${isRating(it) ? quoted(it.id) : 'null'},
           ${isRating(it) ? 'null' : quoted(it.accountId)}, '${word}')`
const TIED = 'id uuid, account_id uuid, word text'

const clocks =
  (family: Family, is: (mine: Clock, theirs: Clock) => boolean) => (evidence: Evidence) =>
    byClocks('its clock', [family], evidence, is)
const ofTheirs = (source: string) => (mine: Clock, theirs: Clock) =>
  (mine.source === 'written' || mine.source === 'own') && theirs.source === source
const ofBoth = (source: string) => (mine: Clock, theirs: Clock) =>
  mine.source === source && theirs.source === source

export const PLANTS: Plant[] = [
  {
    leak: 'a clock on the account',
    question: 'post → account',
    table: 'planted_accounts',
    columns: 'account_id uuid primary key, seen_at timestamptz',
    statements: (it) =>
      it.accountId &&
      `insert into planted_accounts values (${quoted(it.accountId)}, ${momentOf(it)})
         on conflict (account_id) do update set seen_at = excluded.seen_at`,
    attack: clocks('columns', ofTheirs('planted_accounts.seen_at')),
  },
  {
    leak: 'a serial id',
    question: 'rating → rating',
    table: 'planted_ratings',
    columns: 'id uuid primary key, number bigserial',
    statements: (it) =>
      isRating(it)
        ? `insert into planted_ratings values (${quoted(it.id)}) on conflict (id) do nothing`
        : undefined,
    attack: clocks('columns', ofBoth('planted_ratings.number')),
  },
  {
    leak: 'a session that writes on use',
    question: 'post → account',
    table: 'planted_sessions',
    columns: 'account_id uuid primary key, is_used boolean',
    statements: (it) =>
      it.accountId &&
      `insert into planted_sessions values (${quoted(it.accountId)}, true)
         on conflict (account_id) do update set is_used = true`,
    attack: clocks('order', ofTheirs('planted_sessions')),
  },
  {
    leak: 'one author key for all',
    question: 'rating → post',
    table: 'planted_keys',
    columns: 'id uuid primary key, author_key text',
    statements: (it) =>
      it.id && writerOf(it)
        ? `insert into planted_keys values (${quoted(it.id)}, md5(${quoted(writerOf(it))}))
             on conflict (id) do nothing`
        : undefined,
    attack: (evidence, truth) => byJoins('shared keys', evidence, truth, () => false),
  },
  {
    leak: 'a rating with a day',
    question: 'rating → post',
    table: 'planted_days',
    columns: 'id uuid primary key, given_on date',
    statements: (it) =>
      isRating(it)
        ? `insert into planted_days values (${quoted(it.id)}, ${momentOf(it)}::timestamptz)
             on conflict (id) do nothing`
        : undefined,
    attack: clocks(
      'columns',
      (mine, theirs) => mine.source === 'planted_days.given_on' && theirs.source === 'written',
    ),
  },
  {
    leak: 'a parting transaction',
    question: 'kept post → post',
    table: 'planted_kept',
    columns: 'id uuid primary key',
    statements: (it, { authorOf }) =>
      it.act.deed.kind === 'leave' && it.accountId
        ? `insert into planted_kept
             select id from (select id from threads union all select id from comments) posts
              where id in (select id from planted_written
                            where person = ${it.act.person})`
        : isPost(it)
          ? `create table if not exists planted_written (id uuid, person integer);
             insert into planted_written values (${quoted(it.id)}, ${authorOf(it.id ?? '') ?? -1})`
          : undefined,
    attack: clocks('order', ofBoth('planted_kept')),
  },
  {
    leak: 'an outbox file with a time',
    question: 'post → account',
    paper: ({ act }, { people }) =>
      act.deed.kind === 'refresh'
        ? `${new Date(act.at).toISOString()}.eml\nTo: ${people[act.person as number]?.email}`
        : undefined,
    attack: clocks('papers', ofTheirs('planted: an outbox file with a time')),
  },
  {
    leak: 'a log with an address',
    question: 'post → account',
    paper: ({ act }, { people }) =>
      act.person === undefined
        ? undefined
        : `{"time":${act.at},"address":"${people[act.person]?.network}"}`,
    attack: clocks('papers', ofTheirs('planted: a log with an address')),
  },
  {
    leak: 'a click with a person',
    question: 'rating → account',
    table: 'planted_clicks',
    columns: 'account_id uuid, company_id uuid',
    statements: (it) =>
      it.act.deed.kind === 'click' && it.accountId
        ? `insert into planted_clicks values (${quoted(it.accountId)}, ${quoted(it.company)})`
        : undefined,
    attack: (evidence, truth) => byJoins('joins', evidence, truth, is('planted_clicks')),
  },
  {
    leak: 'a follow with an author key',
    question: 'rating → account',
    table: 'planted_follows',
    columns: 'author_key uuid, company_id uuid',
    statements: (it) =>
      it.act.deed.kind === 'follow' && it.accountId
        ? `insert into planted_follows values (${quoted(it.accountId)}, ${quoted(it.company)})`
        : undefined,
    attack: (evidence, truth) => byJoins('joins', evidence, truth, is('planted_follows')),
  },
  {
    leak: 'a queue row that stays',
    question: 'post → account',
    table: 'planted_queue',
    columns: 'payload jsonb, due_at timestamptz',
    statements: (it) =>
      it.accountId && isPost(it)
        ? `insert into planted_queue
             values (jsonb_build_object('reader', ${quoted(it.accountId)}), ${momentOf(it)})`
        : undefined,
    attack: clocks('columns', ofTheirs('planted_queue.due_at')),
  },
  {
    leak: 'issuing that follows from a rating',
    question: 'rating → account',
    isOfLastDay: true,
    // What a log with times would reveal if raters got another credential at that moment.
    paper: ({ act, accountId }, { people }) =>
      act.deed.kind === 'rate' && accountId
        ? `{"time":${act.at},"issued":"${people[act.person as number]?.email}"}`
        : undefined,
    attack: clocks('papers', ofTheirs('planted: issuing that follows from a rating')),
  },
  {
    leak: 'a per-person issuer key',
    question: 'rating → account',
    table: 'planted_issuer_keys',
    columns: TIED,
    // The key that verified it, and that issued the account's credential.
    statements: (it) =>
      it.isIssued || isRating(it)
        ? tied('planted_issuer_keys', it, keyOf('issuer', writerOf(it)))
        : undefined,
    attack: (evidence, truth) => byJoins('issuer keys', evidence, truth, () => false),
  },
  {
    leak: 'a bearer sent along',
    question: 'rating → account',
    paper: (it) => (isRating(it) ? `{"account":"${it.raterId}","rating":"${it.id}"}` : undefined),
    attack: (evidence, truth) => byJoins('what a line names', evidence, truth, () => false),
  },
  {
    leak: 'a tag without the secret',
    question: 'rating → account',
    needsKeys: true,
    table: 'planted_tags',
    columns: 'id uuid primary key, tag text',
    statements: (it, { secrets }) =>
      isRating(it) && it.raterId && it.company
        ? `insert into planted_tags
             values (${quoted(it.id)}, ${quoted(ratingTag({ secrets }, it.raterId, it.company))})
             on conflict (id) do nothing`
        : undefined,
    attack: (evidence, truth) => byJoins('tags computed', evidence, truth, () => false),
  },
  {
    leak: 'a vault rewritten on rating',
    question: 'rating → account',
    isOfLastDay: true,
    table: 'planted_vaults',
    columns: 'account_id uuid primary key, sealed text',
    statements: (it) =>
      isRating(it)
        ? `insert into planted_vaults values (${quoted(it.raterId)}, md5(random()::text))
             on conflict (account_id) do update set sealed = excluded.sealed`
        : undefined,
    attack: clocks('order', ofTheirs('planted_vaults')),
  },
  {
    leak: 'a badge mail that is kept',
    question: 'rating → account',
    table: 'planted_badges',
    columns: TIED,
    // Who it was sent to, and which rating shows the badge. Not everyone wants one.
    statements: (it) =>
      isBadged(it) && (it.isIssued || isRating(it))
        ? tied('planted_badges', it, keyOf('badge', writerOf(it)))
        : undefined,
    attack: (evidence, truth) => byJoins('badges', evidence, truth, () => false),
  },
]

const BADGED_OF_THREE = 2
const isBadged = ({ act: { person = 0 } }: Happening) => person % 3 < BADGED_OF_THREE

/** One more leak: public responses whose numbers change at once. */
export const LIVE_NUMBERS = 'live numbers'

const is = (name: string) => (table: string) => table === name

export const PLANTED_TABLES = PLANTS.flatMap(({ table, columns }) =>
  table ? [`create table ${table} (${columns})`] : [],
).join(';\n')

/** The loot with only this leak, or with none. */
export function lootWith(loot: Loot, papers: Map<string, string[]>, plant?: Plant): Loot {
  const leaked: Paper[] = (papers.get(plant?.leak ?? '') ?? []).map((text) => ({
    source: `planted: ${plant?.leak}`,
    text,
  }))
  return {
    ...loot,
    rows: loot.rows.filter(({ table }) => !table.startsWith('planted_') || table === plant?.table),
    papers: [...loot.papers, ...leaked],
  }
}
