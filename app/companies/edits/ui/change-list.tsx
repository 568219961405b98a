import type { ReactNode } from 'react'
import { dateText } from '#app/kit/ui/format.ts'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import { EDIT_FIELD_NAMES } from '../company-edit.ts'
import { FACT_NAMES, type FactField, factText, NO_FACTS } from '../company-facts.ts'
import { type Policy, policyText } from '../company-policy.ts'
import type { Edit } from '../edit-company.contract.ts'

type Past = NonNullable<Edit['changes']>
type Field = keyof Past
type TextField = Exclude<Field, FactField | 'policy' | 'logo' | 'merged'>

export function ChangeList({ changes }: { changes: Past }) {
  return (
    <dl className="grid gap-3">
      {(Object.keys(EDIT_FIELD_NAMES) as Field[])
        .filter((field) => changes[field])
        .map((field) => (
          <div key={field} className="grid gap-x-4 gap-y-1 sm:grid-cols-[7rem_minmax(0,1fr)]">
            <dt className="text-sm text-ink-faint">{EDIT_FIELD_NAMES[field]}</dt>
            <dd dir="auto" className="text-sm leading-6">
              {differenceOf(field, changes)}
            </dd>
          </div>
        ))}
    </dl>
  )
}

function differenceOf(field: Field, changes: Past): ReactNode {
  if (field === 'logo') return <LogoChange to={changes.logo?.to ?? null} />
  if (field === 'merged')
    return (
      <>
        <New>{changes.merged?.to}</New> is part of it
      </>
    )
  if (field === 'policy')
    return (
      <FromTo
        from={changes.policy?.from && policyLine(changes.policy.from)}
        to={changes.policy?.to && policyLine(changes.policy.to)}
      />
    )
  if (field in FACT_NAMES) {
    const fact = field as FactField
    const textAt = (end: 'from' | 'to') =>
      factText(fact, { ...NO_FACTS, [fact]: changes[fact]?.[end] ?? NO_FACTS[fact] })
    return <FromTo from={textAt('from')} to={textAt('to')} />
  }
  const { from, to } = changes[field as TextField] ?? { from: null, to: null }
  if (field !== 'description' || !from || !to) return <FromTo from={from} to={to} />
  return wordDiff(from, to).map(({ kind, text }, i) =>
    kind === 'same' ? (
      text
    ) : kind === 'gone' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have only their position
      <Gone key={i}>{text}</Gone>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have only their position
      <New key={i}>{text}</New>
    ),
  )
}

const policyLine = (policy: Policy) =>
  [
    policyText(policy),
    policy.since && `since ${dateText(policy.since)}`,
    policy.source && `source ${policy.source}`,
  ]
    .filter(Boolean)
    .join(', ')

function FromTo({ from, to }: { from?: string | null; to?: string | null }) {
  return (
    <>
      {from ? <Gone>{from}</Gone> : <span className="text-ink-faint">nothing</span>}
      <span aria-hidden="true" className="text-ink-faint">
        {' → '}
      </span>
      {to ? <New>{to}</New> : <span className="text-ink-faint">nothing</span>}
    </>
  )
}

function Gone({ children }: { children: ReactNode }) {
  return (
    <del className="rounded-sm bg-danger-soft px-0.5 text-danger">
      <span className="sr-only">Before: </span>
      {children}
    </del>
  )
}

function New({ children }: { children: ReactNode }) {
  return (
    <ins className="rounded-sm bg-leaf-soft px-0.5 text-leaf no-underline">
      <span className="sr-only">After: </span>
      {children}
    </ins>
  )
}

/** We don't store a replaced logo, so we can only show the new one. */
function LogoChange({ to }: { to: string | null }) {
  return (
    <span className="inline-flex items-center gap-3">
      <CompanyLogo name="" logoUrl={to} className="size-9" />A new picture
    </span>
  )
}

interface Piece {
  text: string
  kind: 'same' | 'gone' | 'new'
}

/** Longest common subsequence. The plain table is fine, because texts are short. */
export function wordDiff(from: string, to: string): Piece[] {
  const a = from.split(/(\s+)/).filter(Boolean)
  const b = to.split(/(\s+)/).filter(Boolean)
  // common[i][j]: length of the longest common subsequence of a[i…] and b[j…].
  const common = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      (common[i] as number[])[j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const pieces: Piece[] = []
  const add = (text = '', kind: Piece['kind']) => {
    const last = pieces.at(-1)
    if (last?.kind === kind) last.text += text
    else pieces.push({ text, kind })
  }
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && a[i] === b[j]) {
      add(a[i++], 'same')
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1))) add(a[i++], 'gone')
    else add(b[j++], 'new')
  }
  return pieces
}
