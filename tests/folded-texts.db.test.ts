/**
 * Texts with several spellings that count as one, in one list: which function normalises each. Where the database normalises
 * too, this compares both, for letters that programs disagree about.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainToUnicode } from 'node:url'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { plainAddress } from '#app/api/auth/addresses.server.ts'
import { isSameTitle } from '#app/community/discussions/posts/post-deletion.ts'
import { deleteThreadTitled } from '#app/community/discussions/threads/thread-commands.server.ts'
import { mailDomainOf } from '#app/companies/company-domain-rules.server.ts'
import { siteOf } from '#app/companies/importing/imported-company.ts'
import { searchKey } from '#app/companies/search/company-keys.ts'
import { tidyWebsite } from '#app/companies/web-address.ts'
import { MOODS, NOUNS, usernameKey, usernameProblem } from '#app/identity/accounts/username.ts'
import { foldText, slugOf } from '#app/kit/writing/text.ts'
import { namesIn } from '#app/moderation/notifications/notification-tasks.server.ts'
import { watchKey } from '#app/moderation/watch.ts'
import { startThread } from '#tests/support/unlimited.ts'
import { withDatabase } from './support/database.ts'

const { as } = withDatabase()

interface Folded {
  /** The columns or keys with the normalised text. The program normalises, and the database compares bytes. */
  kept: string
  fold: (text: string) => unknown
  same: [string, string][]
  others: [string, string][]
}

const KELVIN = '\u212a'
const LIST: Record<string, Folded> = {
  'e-mail addresses': {
    kept: 'every hash and limit of an address: accounts, links, badges, seats, contact, mails',
    fold: plainAddress,
    same: [
      [' Dana@Acme.Example', 'dana@acme.example'],
      ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
      ['a@bu\u0308cher.example', 'a@bücher.example'],
      ['a@ａｃｍｅ.example', 'a@acme.example'],
      ['a@acme。example', 'a@acme.example'],
      [`a@${KELVIN}ettle.example`, 'a@kettle.example'],
      ['ame\u0301lie@acme.example', 'amélie@acme.example'],
    ],
    others: [
      ['a@faß.example', 'a@fass.example'],
      ['İ@acme.example', 'i@acme.example'],
      ['a+b@acme.example', 'a@acme.example'],
    ],
  },
  'domains of mailboxes': {
    kept: 'badge_domains.domain, employer_claims.domain',
    fold: (domain) => mailDomainOf(`a@${domain}`).domain,
    same: [
      ['Mail.Acme.Example', 'acme.example'],
      ['ａｃｍｅ.example', 'acme.example'],
      ['BÜCHER.example', 'xn--bcher-kva.example'],
    ],
    others: [['acme.example', 'acme.test']],
  },
  usernames: {
    kept: 'profiles.username_key',
    fold: usernameKey,
    same: [['DanaTeapot', 'danateapot']],
    others: [['dana_', 'dana-']],
  },
  'names of companies': {
    kept: 'companies.name_key',
    fold: foldText,
    same: [
      ['Café', 'CAFE\u0301'],
      ['İstanbul', 'istanbul'],
      [`${KELVIN}ettle`, 'kettle'],
      ['STRAẞE', 'straße'],
    ],
    others: [
      ['straße', 'strasse'],
      ['ａcme', 'acme'],
    ],
  },
  'slugs of companies': {
    kept: 'companies.slug, company_old_slugs.slug',
    fold: slugOf,
    same: [['Café & Co', 'cafe\u0301-CO']],
    others: [['acme', 'acme-1']],
  },
  'watched words': {
    kept: 'watched_words.folded',
    fold: watchKey,
    same: [
      ['Beans', 'BEANS'],
      ['Café', 'cafe\u0301'],
    ],
    others: [['beans', 'bean']],
  },
  'what companies are found by': {
    kept: 'company_keys.key',
    fold: searchKey,
    same: [
      ['AT&T', 'att'],
      ['STRAẞE', 'strasse'],
      ['ＡＣＭＥ', 'acme'],
      ['İstanbul', 'istanbul'],
    ],
    others: [['acme', 'acne']],
  },
}

describe.each(Object.entries(LIST))('%s', (_, { fold, same, others }) => {
  test.each(same)('%s is %s', (one, other) => expect(fold(one)).toEqual(fold(other)))
  test.each(others)('%s is not %s', (one, other) => expect(fold(one)).not.toEqual(fold(other)))
})

/** What the database normalises. For a new place, add which function of the program agrees with it, and how. */
const IN_DATABASE: Record<string, string> = {
  'db/migrations/0065_baseline.sql':
    'company_site: as tidyWebsite and siteOf, see below; names of templates: the database alone',
  'db/migrations/0076_words_in_every_spelling.sql': 'the word "or" of a search: the database alone',
  'app/moderation/tool-commands.server.ts': 'the same, for their order',
  'app/moderation/notifications/notification-tasks.server.ts': 'names: as usernameKey, see below',
  'app/community/discussions/threads/thread-commands.server.ts':
    'titles: chooses between two refusals; what is deleted says isSameTitle, see below',
  'app/office/administration/admin-log-queries.server.ts': 'a search by a part: the database alone',
}

test('only the statements compared here fold text', () => {
  const folds = /\b(lower|upper|unaccent)\(|\bilike\b|\bcitext\b/
  const comment = /^\s*(--|\/\/|\*|\/\*).*$/gm
  const files = ['db/migrations', 'app'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const found = files
    .filter((path) => /\.(sql|server\.ts)$/.test(path))
    .filter((path) => folds.test(readFileSync(path, 'utf8').replace(comment, '')))
  expect(found.sort()).toEqual(Object.keys(IN_DATABASE).sort())
})

test('the names in mentions are folded alike', () =>
  as('dana', async ({ db }) => {
    const names = [...MOODS, ...NOUNS, 'Dana_T-9', 'ABCDEFGHIJKLMNOPQRSTUVWX', 'YZ_0123456789']
    const rows = await db.query<{ name: string; folded: string }>(sql`
      select name, lower(name) as folded from unnest(${names}::text[]) name`)
    for (const { name, folded } of rows) {
      expect(folded).toBe(usernameKey(name))
      expect(namesIn(`@${name}`)[0]).toContain(folded)
    }
    // Usernames can't contain other letters.
    for (const odd of ['İlse', `${KELVIN}ate`, 'ſam', 'Straße', 'ａｄａ', 'Ame\u0301lie', 'Amélie'])
      expect(usernameProblem(odd)).toBeDefined()
  }))

test('a company’s website is the same to the importer and the database', () =>
  as('dana', async ({ db }) => {
    const typed = [
      'https://WWW.Acme.example/About',
      'acme.example',
      'https://MÜLLER.example/#x',
      'https://mu\u0308ller.example',
      'https://faß.example',
      'https://İ.example',
      `https://${KELVIN}ettle.example`,
      'https://ａｃｍｅ.example?a',
      'https://acme。example',
    ]
    for (const website of typed) {
      const kept = tidyWebsite(website) as string
      const site = siteOf(kept) as string
      const [row] = await db.query<{ site: string }>(sql`select company_site(${kept}) as site`)
      expect([site, domainToUnicode(site)], website).toContain(row?.site)
      expect(siteOf(website.includes('://') ? website : kept), website).toBe(site)
    }
  }))

test('a thread is found by its title in any case and form of its letters', () =>
  as('dana', async (ctx) => {
    const pairs = [
      ['Is the café closed?', 'is the cafe\u0301 CLOSED?'],
      ['ΟΔΟΣ 100%_\\', 'οδος 100%_\\'],
      ['İstanbul and back', 'i̇STANBUL and back'],
      ['Die Straße', 'DIE STRAßE'],
    ] as const
    for (const [title, typed] of pairs) {
      expect(isSameTitle(title, typed), title).toBe(true)
      const thread = { title, body: 'Words.', topics: [], name: 'pseudonym' } as const
      await startThread(ctx, { ...thread, topics: [], idempotencyKey: crypto.randomUUID() })
      expect(await deleteThreadTitled(ctx, typed)).toMatchObject({ title })
    }
    const other = { title: 'Strasse 100', body: 'Words.', topics: [], name: 'pseudonym' } as const
    await startThread(ctx, { ...other, topics: [], idempotencyKey: crypto.randomUUID() })
    for (const typed of ['Straße 100', 'Strasse 10_', 'Strasse%'])
      await expect(deleteThreadTitled(ctx, typed)).rejects.toMatchObject({ status: 404 })
  }))
