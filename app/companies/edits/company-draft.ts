/** The state of the company form: all strings. No I/O here. */
import type { CompanyFields } from './company-edit.ts'
import {
  type CompanyFacts,
  type CompanySize,
  FACT_FIELDS,
  type FactField,
} from './company-facts.ts'
import type { PolicyMode } from './company-policy.ts'

export interface CompanyDraft extends Record<FactField, string> {
  name: string
  category: string
  description: string
  website: string
  /** Whether there's already a policy. */
  hasPolicy: boolean
  mode: PolicyMode | ''
  days: string
  since: string
  source: string
}

export const companyDraftOf = ({
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
  ...(Object.fromEntries(FACT_FIELDS.map((field) => [field, typed(facts[field])])) as Record<
    FactField,
    string
  >),
  hasPolicy: policy !== null,
  mode: policy?.mode ?? '',
  days: policy?.days?.toString() ?? '',
  since: policy?.since ?? '',
  source: policy?.source ?? '',
})

/** Several names, one per line. */
const typed = (value: CompanyFacts[FactField]) =>
  Array.isArray(value) ? value.join('\n') : (value?.toString() ?? '')

export const fieldsIn = ({
  hasPolicy: _,
  mode,
  days,
  since,
  source,
  ...texts
}: CompanyDraft): CompanyFields => ({
  ...texts,
  aliases: texts.aliases.split('\n'),
  size: (texts.size as CompanySize) || null,
  founded: texts.founded.trim() === '' ? null : Number(texts.founded),
  policy:
    mode === ''
      ? null
      : { mode, days: days === '' ? null : Number(days), since: since.trim() || null, source },
})
