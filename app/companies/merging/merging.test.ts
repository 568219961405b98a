import { describe, expect, test } from 'vitest'
import type { CompanyFields } from '../edits/company-edit.ts'
import { NO_FACTS } from '../edits/company-facts.ts'
import { joinedFacts, movingLines } from './merging.ts'

const said = (fields: Partial<CompanyFields>): CompanyFields => ({
  name: 'Acme',
  category: 'Tea',
  description: null,
  website: null,
  policy: null,
  ...NO_FACTS,
  ...fields,
})

describe('D57: what the remaining company says afterwards', () => {
  test('D57: the remaining company has its own facts, and the other’s where it has none', () => {
    const from = said({ name: 'Acme, Inc.', website: 'https://acme.example', founded: 1998 })
    expect(joinedFacts(from, said({ founded: 2001 }))).toEqual({
      aliases: { from: [], to: ['Acme, Inc.'] },
      website: { from: null, to: 'https://acme.example' },
    })
  })

  test('a name the company already has isn’t added again', () => {
    expect(joinedFacts(said({ name: 'ACME' }), said({}))).toEqual({})
    const known = said({ aliases: ['Acme, Inc.'] })
    expect(joinedFacts(said({ name: 'Acme, Inc.' }), known)).toEqual({})
  })

  test('the other’s name is added even if the list is full', () => {
    const aliases = Array.from({ length: 10 }, (_, n) => `Name ${n}`)
    const joined = joinedFacts(said({ name: 'Acme, Inc.', aliases: ['More'] }), said({ aliases }))
    expect(joined.aliases?.to).toEqual([...aliases.slice(0, 9), 'Acme, Inc.'])
  })
})

test('the summary counts what moves by kind, and the rest if there’s any', () => {
  const none = { jobs: 0, replies: 0, claims: 0, requests: 0, suggestions: 0 }
  expect(movingLines({ ...none, threads: 1, comments: 1_200, ratings: 0, replies: 2 })).toEqual([
    '1 thread',
    '1,200 comments',
    '0 ratings',
    '0 jobs',
    '2 replies',
  ])
})
