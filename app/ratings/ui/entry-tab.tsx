/** A company's tab of what's given once a year: the form or this browser's list, and what everyone sees. */
import type { ComponentType, ReactNode } from 'react'
import { isSecretShared } from '#app/identity/credentials/rated.data.ts'
import { useIsKnown, useSessionKey } from '#app/kit/session/session.data.ts'
import { navigate, useAddress } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { wantsToGivePay } from '../pay/pay.data.ts'
import { payYears } from '../pay/pay.ts'
import {
  type EntryKind,
  type OwnEntry,
  removeOwnEntry,
  useOwnEntries,
} from '../presented/own-entries.data.ts'
import type { RatedCompany } from '../rating.data.ts'
import type { EntryFormParts } from './entry-form.tsx'

const RemoveElsewhere = lazyComponent(() =>
  import('./own-entries.tsx').then((it) => it.RemoveElsewhere),
)

export function EntryTab<Kind extends EntryKind>(props: EntryTabProps<Kind>) {
  const { kind, tab, yours, company, formerIds, Form, List, children } = props
  const { search } = useAddress()
  const sessionKey = useSessionKey()
  const isKnown = useIsKnown()
  const known = useOwnEntries(kind, sessionKey)
  const ids = [company.id, ...(formerIds ?? [])]
  const own = isKnown ? known.filter((it) => ids.includes(it.company.id)) : []
  const isGiving = wantsToGivePay(search)
  const year = Number(new URLSearchParams(search).get('year'))
  const whose = { company, sessionKey, formerIds: formerIds ?? [] }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      {isGiving && isKnown && formerIds && (
        <div className="no-js:hidden">
          <Form
            key={`${sessionKey} ${year}`}
            company={company}
            formerIds={formerIds}
            own={own.filter((it) => it.year === year || !year)}
            onClose={() => navigate(`${company.path}?tab=${tab}`, { replace: true })}
          />
        </div>
      )}
      {!isGiving && own.length > 0 && (
        <section aria-labelledby="own-entries">
          <h2 id="own-entries" className="mb-2 text-[0.9375rem] font-semibold">
            What you gave
          </h2>
          <List listed={own} />
        </section>
      )}
      {children({ isGiving, own })}
      {isKnown && !isGiving && own.length === 0 && isSecretShared(sessionKey) && (
        <RemoveElsewhere
          yours={yours}
          onRemove={() => {
            for (const year of payYears(new Date().toISOString().slice(0, 10)))
              removeOwnEntry(kind, whose, year)
          }}
        />
      )}
    </div>
  )
}

interface EntryTabProps<Kind extends EntryKind> {
  kind: Kind
  tab: string
  /** Such as "your pay". */
  yours: string
  company: RatedCompany
  /** Undefined until the tab's numbers are here. */
  formerIds: string[] | undefined
  Form: ComponentType<EntryFormParts<Kind>>
  List: ComponentType<{ listed: OwnEntry<Kind>[] }>
  children: (shown: { isGiving: boolean; own: OwnEntry<Kind>[] }) => ReactNode
}

/** @param preload loads the form */
export const GiveLink = ({ company, tab, yours, preload }: GiveLinkProps) => (
  <>
    <a
      href={`${company.path}?tab=${tab}&give=yes`}
      rel="nofollow"
      {...preload}
      className={`${buttonClasses()} no-js:hidden`}
    >
      {`Give ${yours}`}
    </a>
    <NeedsScripts>{`Giving ${yours} needs JavaScript.`}</NeedsScripts>
  </>
)

interface GiveLinkProps {
  company: RatedCompany
  tab: string
  yours: string
  preload: object
}
