/** The state of the company form: all strings. No I/O here. */
import type { CompanyFields } from './company-edit.ts'
import type { CompanySize } from './company-facts.ts'
import type { PolicyMode } from './company-policy.ts'

export interface CompanyDraft {
  name: string
  category: string
  description: string
  website: string
  /** One per line. */
  aliases: string
  headquarters: string
  country: string
  size: CompanySize | ''
  founded: string
  ticker: string
  /** Whether one is stored already. */
  hasPolicy: boolean
  mode: PolicyMode | ''
  days: string
  since: string
  source: string
}

export const draftOf = ({
  name,
  category,
  description,
  website,
  policy,
  ...facts
}: CompanyFields): CompanyDraft => ({
  name,
  category,
  description: description ?? '',
  website: website ?? '',
  aliases: facts.aliases.join('\n'),
  headquarters: facts.headquarters ?? '',
  country: facts.country ?? '',
  size: facts.size ?? '',
  founded: facts.founded?.toString() ?? '',
  ticker: facts.ticker ?? '',
  hasPolicy: policy !== null,
  mode: policy?.mode ?? '',
  days: policy?.days?.toString() ?? '',
  since: policy?.since ?? '',
  source: policy?.source ?? '',
})

export const fieldsIn = (draft: CompanyDraft): CompanyFields => ({
  name: draft.name,
  category: draft.category,
  description: draft.description,
  website: draft.website,
  aliases: draft.aliases.split('\n'),
  headquarters: draft.headquarters,
  country: draft.country,
  size: draft.size || null,
  founded: draft.founded.trim() === '' ? null : Number(draft.founded),
  ticker: draft.ticker,
  policy:
    draft.mode === ''
      ? null
      : {
          mode: draft.mode,
          days: draft.days === '' ? null : Number(draft.days),
          since: draft.since.trim() || null,
          source: draft.source,
        },
})
