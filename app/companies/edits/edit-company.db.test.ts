import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { type PersonRoot, personRootOf } from '#app/api/auth/roots.server.ts'
import { sharing } from '#tests/people.ts'
import { suspended } from '#tests/support/authors.ts'
import { testSecrets, withDatabase } from '#tests/support/database.ts'
import { CompanyPageView } from '../company.contract.ts'
import { insertCompanies } from '../company-commands.server.ts'
import {
  companyById,
  companyBySlug,
  companyCategories,
  listCompanies,
} from '../company-queries.server.ts'
import type { Changes } from './company-edit.ts'
import { NO_FACTS } from './company-facts.ts'
import type { Policy } from './company-policy.ts'
import {
  acceptEdit,
  declineEdit,
  editCompany,
  forgetEditor,
  POLICY_CHANGED_TASK,
  revertEdit,
} from './edit-commands.server.ts'
import { editContract } from './edit-company.contract.ts'
import { companyEdits, openSuggestions } from './edit-queries.server.ts'

const { as } = withDatabase()

const NOBODY = '00000000-0000-4000-8000-000000000bad'

async function acme(ctx: Ctx) {
  await insertCompanies(ctx, [{ name: 'Acme', category: 'Tea', website: 'https://acme.com' }])
  return (await companyBySlug(ctx, 'acme')).id
}

/** The cast in one test, each on the same transaction. */
async function cast(
  work: (people: { dana: Ctx; ada: Ctx; vera: Ctx; erin: Ctx }) => Promise<void>,
) {
  const actors: Partial<Record<'ada' | 'vera' | 'erin', Ctx['actor']>> = {}
  for (const name of ['ada', 'vera', 'erin'] as const)
    await as(name, async (ctx) => {
      actors[name] = ctx.actor
    })
  await as('dana', async (dana) => {
    const be = (name: 'ada' | 'vera' | 'erin'): Ctx => ({
      ...dana,
      actor: actors[name] as Ctx['actor'],
    })
    await work({ dana, ada: be('ada'), vera: be('vera'), erin: be('erin') })
  })
}

const change = (ctx: Ctx, id: string, changes: Changes, reason = '') =>
  editCompany(ctx, id, { changes, reason })
const rename = (from: string, to: string): Changes => ({ name: { from, to } })
const hybrid = (over: Partial<Policy> = {}): Policy => ({
  mode: 'hybrid',
  days: 2,
  since: '2025-09',
  source: null,
  ...over,
})
const latest = async (ctx: Ctx, id: string) => (await companyEdits(ctx, id)).edits[0]?.id as number

describe('S14', () => {
  test('an administrator’s change applies at once and is in the history', () =>
    cast(async ({ ada }) => {
      const id = await acme(ada)
      expect(
        await change(ada, id, {
          category: { from: 'Tea', to: 'Kettles' },
          description: { from: null, to: 'Makes  kettles.\n' },
        }),
      ).toEqual({ state: 'applied', path: '/acme' })
      expect(await companyById(ada, id)).toMatchObject({
        category: 'Kettles',
        description: 'Makes kettles.',
      })
      expect(await companyCategories(ada)).toEqual([{ name: 'Kettles', companies: 1 }])
      const { edits } = await companyEdits(ada, id)
      expect(edits).toMatchObject([
        { madeOn: '2026-03-14', state: 'applied', by: 'administrator', isMine: false },
      ])
    }))

  test('a member’s change applies only when an administrator accepts it', () =>
    cast(async ({ dana, ada }) => {
      const id = await acme(dana)
      expect(await change(dana, id, rename('Acme', 'Acme Kettles'))).toEqual({
        state: 'suggested',
        path: '/acme',
      })
      expect(await companyById(dana, id)).toMatchObject({ name: 'Acme', slug: 'acme' })
      const { suggestions } = await openSuggestions(ada, {})
      expect(suggestions).toMatchObject([
        { company: { name: 'Acme' }, changes: rename('Acme', 'Acme Kettles'), conflicts: [] },
      ])
      expect(await acceptEdit(ada, suggestions[0]?.id as number)).toEqual({ path: '/acme-kettles' })
      expect(await companyById(dana, id)).toMatchObject({
        name: 'Acme Kettles',
        slug: 'acme-kettles',
      })
      expect((await companyBySlug(dana, 'acme')).id).toBe(id)
      expect((await openSuggestions(ada, {})).suggestions).toEqual([])
    }))

  test('facts are saved, an added name finds the company, and all of it can be undone', () =>
    cast(async ({ ada }) => {
      const id = await acme(ada)
      await change(ada, id, {
        aliases: { from: [], to: ['Kettleworks'] },
        headquarters: { from: null, to: 'Leuven' },
        country: { from: null, to: 'BE' },
        size: { from: null, to: '51-200' },
        founded: { from: null, to: 1998 },
        ticker: { from: null, to: 'acm' },
        legalForm: { from: null, to: ' GmbH ' },
      })
      const facts = {
        aliases: ['Kettleworks'],
        headquarters: 'Leuven',
        country: 'BE',
        size: '51-200',
        founded: 1998,
        ticker: 'ACM',
        legalForm: 'GmbH',
      }
      expect(CompanyPageView.parse(await companyById(ada, id))).toMatchObject(facts)
      const found = async () =>
        (await listCompanies(ada, { search: 'kettlew', limit: 5 })).companies
      expect((await found()).map((company) => company.id)).toEqual([id])
      await revertEdit(ada, await latest(ada, id))
      expect(await companyById(ada, id)).toMatchObject(NO_FACTS)
      expect(await found()).toEqual([])
      await expect(change(ada, id, { founded: { from: null, to: 2200 } })).rejects.toThrow(
        'The founding year must be a year',
      )
    }))

  test('a suggestion is declined once and changes nothing', () =>
    cast(async ({ dana, ada }) => {
      const id = await acme(dana)
      await change(dana, id, rename('Acme', 'Rubbish'))
      const edit = await latest(ada, id)
      await declineEdit(ada, edit)
      expect((await companyById(dana, id)).name).toBe('Acme')
      for (const decide of [acceptEdit, declineEdit, revertEdit])
        await expect(decide(ada, edit)).rejects.toMatchObject({ status: 409 })
      await expect(acceptEdit(ada, 999_999)).rejects.toMatchObject({ status: 404 })
    }))

  test('a suspended member can’t suggest', () =>
    cast(async ({ dana }) => {
      const id = await acme(dana)
      const wish = rename('Acme', 'Else')
      await dana.db.query(sql`
        insert into suspensions (own_row_key, ends_on, reason)
        values (${suspended(dana)}, '2026-03-14', 'spam')`)
      await expect(change(dana, id, wish)).rejects.toMatchObject({
        status: 403,
        message:
          'You can’t suggest changes until the end of 2026-03-14. Reason: Spam or advertising',
      })
      expect(await dana.db.query(sql`select from company_edits`)).toHaveLength(0)
    }))

  test('suggestions can overlap, and one based on an older version is a conflict', () =>
    cast(async ({ dana, ada, erin }) => {
      const id = await acme(dana)
      await change(dana, id, rename('Acme', 'Acme One'))
      const one = await latest(ada, id)
      await change(erin, id, rename('Acme', 'Acme Two'))
      const two = await latest(ada, id)
      await acceptEdit(ada, one)
      expect((await openSuggestions(ada, { company: id })).suggestions).toMatchObject([
        { id: two, conflicts: ['name'] },
      ])
      await expect(acceptEdit(ada, two)).rejects.toMatchObject({ status: 409 })
      expect((await companyById(ada, id)).name).toBe('Acme One')
      // A form opened before is a conflict too.
      await expect(change(ada, id, rename('Acme', 'Acme Three'))).rejects.toMatchObject({
        status: 409,
      })
    }))

  test('an administrator undoes a change once, and only while it’s current', () =>
    cast(async ({ ada }) => {
      const id = await acme(ada)
      await change(ada, id, rename('Acme', 'Zenith'))
      const first = await latest(ada, id)
      expect(await revertEdit(ada, first)).toEqual({ path: '/acme' })
      expect(await companyById(ada, id)).toMatchObject({ name: 'Acme', slug: 'acme' })
      await expect(revertEdit(ada, first)).rejects.toMatchObject({ status: 409 })
      await change(ada, id, rename('Acme', 'Zenith'))
      const second = await latest(ada, id)
      await change(ada, id, rename('Zenith', 'Apex'))
      await expect(revertEdit(ada, second)).rejects.toMatchObject({ status: 409 })
      expect((await companyById(ada, id)).name).toBe('Apex')
    }))

  test('a repeated suggestion or too many waiting ones are refused', () =>
    cast(async ({ dana }) => {
      const id = await acme(dana)
      await change(dana, id, rename('Acme', 'Again'))
      await expect(change(dana, id, rename('Acme', 'Again'))).rejects.toMatchObject({ status: 409 })
      for (let n = 1; n < 20; n++) await change(dana, id, rename('Acme', `Name ${n}`))
      await expect(change(dana, id, rename('Acme', 'More'))).rejects.toMatchObject({ status: 429 })
    }))
})

describe('anonymity', () => {
  test('the history names no one, and only its author and administrators see a waiting or declined text', () =>
    cast(async ({ dana, ada, vera }) => {
      const id = await acme(dana)
      await change(dana, id, rename('Acme', 'Slander Inc'), 'because I work there')
      for (const state of ['suggested', 'declined'] as const) {
        expect((await companyEdits(vera, id)).edits).toMatchObject([
          { state, by: 'member', isMine: false, fields: ['name'], changes: null },
        ])
        expect((await companyEdits(dana, id)).edits).toMatchObject([
          { isMine: true, changes: rename('Acme', 'Slander Inc') },
        ])
        expect((await companyEdits(ada, id)).edits[0]?.changes).not.toBeNull()
        if (state === 'suggested') await declineEdit(ada, await latest(ada, id))
      }
      const ok = editContract['GET /api/v1/companies/{id}/edits'].ok
      const told = JSON.stringify([
        await companyEdits(vera, id),
        ok.parse(await companyEdits(ada, id)),
        await openSuggestions(ada, {}),
      ])
      const { actor } = dana
      for (const secret of [
        actor.authorKey,
        actor.account?.id,
        'Dana',
        ada.actor.account?.id,
        'Ada',
      ])
        expect(told).not.toContain(secret)
      expect(JSON.stringify(await companyEdits(vera, id))).not.toContain('because')
    }))

  test('when an account is deleted, its waiting suggestions go and the others lose their author', () =>
    cast(async ({ dana, ada }) => {
      const id = await acme(dana)
      await change(dana, id, rename('Acme', 'Accepted'))
      await acceptEdit(ada, await latest(ada, id))
      await change(dana, id, rename('Accepted', 'Waiting'))
      await forgetEditor(dana, personRootOf(dana) as PersonRoot)
      // The account's root goes with it, and no one gets the same one again.
      const account = sharing(dana.actor.account, testSecrets, 'somebody new')
      const later = { ...dana, actor: { ...dana.actor, account } }
      expect((await companyEdits(later, id)).edits).toMatchObject([
        { state: 'applied', by: 'member', isMine: false },
      ])
    }))
})

describe('S13: renaming', () => {
  test('a renamed company redirects its former slug, and can take it back', () =>
    cast(async ({ ada }) => {
      const id = await acme(ada)
      await insertCompanies(ada, [{ name: 'Zenith', category: 'Tea' }])
      await change(ada, id, rename('Acme', 'Zenith'))
      expect((await companyById(ada, id)).slug).toBe('zenith-2')
      expect((await companyBySlug(ada, 'acme')).id).toBe(id)
      await change(ada, id, rename('Zenith', 'Settings'))
      expect((await companyById(ada, id)).slug).toBe('settings-company')
      await change(ada, id, rename('Settings', 'ACMÉ'))
      expect((await companyById(ada, id)).slug).toBe('acme')
      // Only its look changes: the address stays.
      await change(ada, id, rename('ACMÉ', 'Acme!'))
      expect((await companyById(ada, id)).slug).toBe('acme')
      await change(ada, id, rename('Acme!', '!!!'))
      expect((await companyById(ada, id)).slug).toBeNull()
      for (const former of ['acme', 'zenith-2', 'settings-company'])
        expect((await companyBySlug(ada, former)).id).toBe(id)
    }))
})

describe('the stated policy', () => {
  test('a stated policy is a field with a history, and the last entry is current', () =>
    cast(async ({ ada }) => {
      const id = await acme(ada)
      expect(await companyById(ada, id)).toMatchObject({ policy: null, policyHistory: [] })
      await change(ada, id, { policy: { from: null, to: hybrid() } })
      const office = hybrid({ mode: 'office', days: null, since: '2026-01' })
      await change(ada, id, { policy: { from: hybrid(), to: office } })
      const page = CompanyPageView.parse(await companyById(ada, id))
      expect(page).toMatchObject({ policy: office, policyHistory: [office, hybrid()] })
      // If it's undone, it was never the policy.
      await revertEdit(ada, await latest(ada, id))
      expect(await companyById(ada, id)).toMatchObject({ policyHistory: [hybrid()] })
      expect(await policyNews(ada)).toBe(3)
    }))

  test('a new source alone isn’t a new policy, and no one is alerted', () =>
    cast(async ({ ada }) => {
      const id = await acme(ada)
      await change(ada, id, { policy: { from: null, to: hybrid() } })
      const to = hybrid({ source: 'https://acme.com/news' })
      await change(ada, id, { policy: { from: hybrid(), to } })
      expect((await companyById(ada, id)).policyHistory).toEqual([to])
      expect(await policyNews(ada)).toBe(1)
    }))

  test('followers hear of it only when it applies', () =>
    cast(async ({ dana, ada }) => {
      const id = await acme(dana)
      await change(dana, id, { policy: { from: null, to: hybrid() } })
      expect(await policyNews(ada)).toBe(0)
      await acceptEdit(ada, await latest(ada, id))
      expect(await policyNews(ada)).toBe(1)
      expect((await companyById(dana, id)).policy).toEqual(hybrid())
    }))

  const policyNews = async ({ db }: Ctx) =>
    (await db.query(sql`select from job_queue where kind = ${POLICY_CHANGED_TASK}`)).length
})

describe('bad input is refused with a sentence, and nothing changes', () => {
  const from = { name: 'Acme', category: 'Tea', description: null, website: 'https://acme.com' }
  test.each<[string, Changes]>([
    ['no name', rename('Acme', ' \u200b ')],
    ['a long name', rename('Acme', 'a'.repeat(121))],
    ['no category', { category: { from: 'Tea', to: '' } }],
    ['a long category', { category: { from: 'Tea', to: 'a'.repeat(61) } }],
    ['a long description', { description: { from: null, to: 'a'.repeat(501) } }],
    ['nothing at all', {}],
    ['the same again', rename('Acme', ' Acme ')],
    ...[
      'javascript:alert(1)',
      'ftp://acme.com',
      'https://localhost',
      'https://intranet.local',
      'http://127.0.0.1',
      'http://0x7f.1',
      'http://[::1]/',
      'https://acme',
      'https://user:pass@acme.com',
      'https://acme.com:8443',
      'https://a b.com',
      `https://acme.com/${'a'.repeat(300)}`,
    ].map((to): [string, Changes] => [
      `the website ${to.slice(0, 30)}`,
      { website: { from: from.website, to } },
    ]),
    ...(
      [
        ['days of a remote one', hybrid({ mode: 'remote', days: 0 })],
        ['six days', hybrid({ days: 6 })],
        ['half a day', hybrid({ days: 2.5 })],
        ['the future', hybrid({ since: '2026-04' })],
        ['no month', hybrid({ since: '2026-13' })],
        ['a day', hybrid({ since: '2026-1' })],
        ['the Middle Ages', hybrid({ since: '1215-06' })],
        ['a source on our own machine', hybrid({ source: 'http://localhost/x' })],
        ['no policy at all', null],
      ] as const
    ).map(([name, to]): [string, Changes] => [
      `a policy with ${name}`,
      { policy: { from: null, to } },
    ]),
  ])('%s', (name, changes) =>
    cast(async ({ ada, dana }) => {
      const id = await acme(ada)
      if (name === 'a policy with days of a remote one') {
        // It's cleaned instead, because a remote company has none.
        await change(ada, id, changes)
        expect((await companyById(ada, id)).policy?.days).toBeNull()
        return
      }
      for (const who of [ada, dana])
        await expect(change(who, id, changes)).rejects.toMatchObject({
          status: 400,
          message: expect.stringMatching(/ /),
        })
      expect(await companyById(ada, id)).toMatchObject({ ...from, slug: 'acme', policy: null })
      expect(await ada.db.query(sql`select from company_edits`)).toHaveLength(0)
    }),
  )

  test('a deleted company can’t be edited', () =>
    cast(async ({ ada, dana }) => {
      for (const who of [ada, dana])
        await expect(change(who, NOBODY, rename('Acme', 'Else'))).rejects.toMatchObject({
          status: 404,
        })
      await expect(companyEdits(ada, NOBODY)).rejects.toMatchObject({ status: 404 })
    }))

  test('a demo company keeps its odd website, because only changed fields are checked', () =>
    cast(async ({ ada }) => {
      const id = await acme(ada)
      await ada.db.query(sql`update companies set website = 'http://intranet'`)
      await change(ada, id, { category: { from: 'Tea', to: 'Kettles' } })
      expect((await companyById(ada, id)).website).toBe('http://intranet')
    }))
})
