/** Members' suggestions, for administrators to decide on. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { companyPath } from '../../company.ts'
import { EDIT_FIELD_NAMES } from '../company-edit.ts'
import type { EditContract, Suggestion } from '../edit-company.contract.ts'
import { invalidateEdits, suggestedEditsQuery } from '../edit-company.data.ts'
import { ChangeList } from './change-list.tsx'

interface SuggestedEditsProps {
  /** Limits the suggestions to one company. Renders nothing if there are none. */
  companyId?: string
}

export function SuggestedEdits({ companyId }: SuggestedEditsProps) {
  const api = useApi<EditContract>()
  const { me } = useSession()
  const isAllowed = me?.can.includes('editCompanies') ?? false
  const list = useInfiniteQuery({ ...suggestedEditsQuery(api, companyId), enabled: isAllowed })
  const heading = useRef<HTMLHeadingElement>(null)
  // After the last decision, this keeps the heading, which has the focus.
  const [hasDecided, setDecided] = useState(false)
  const suggestions = list.data?.pages.flatMap((page) => page.suggestions) ?? []
  if (!isAllowed || !list.data || (companyId && suggestions.length === 0 && !hasDecided))
    return null
  return (
    <section aria-labelledby="suggested-edits">
      <h2
        id="suggested-edits"
        ref={heading}
        tabIndex={-1}
        className={cx(
          'font-serif text-2xl font-medium tracking-tight text-ink',
          !companyId && 'md:text-3xl',
        )}
      >
        Suggested changes
      </h2>
      {suggestions.length === 0 &&
        (companyId ? (
          <p className="mt-3 text-ink-soft">No pending suggestions.</p>
        ) : (
          <EmptyState title="Nothing to decide" text="Members’ suggested changes show up here." />
        ))}
      <ul className="mt-4 grid gap-4">
        {suggestions.map((suggestion) => (
          <li key={suggestion.id}>
            <SuggestionCard
              suggestion={suggestion}
              showsCompany={!companyId}
              onDecided={() => {
                setDecided(true)
                heading.current?.focus()
              }}
            />
          </li>
        ))}
      </ul>
      <MoreButton list={list} className="mt-4" />
    </section>
  )
}

interface SuggestionCardProps {
  suggestion: Suggestion
  showsCompany: boolean
  /** The card with the focus is about to disappear. */
  onDecided: () => void
}

function SuggestionCard({ suggestion, showsCompany, onDecided }: SuggestionCardProps) {
  const api = useApi<EditContract>()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<'accept' | 'decline'>()
  const { id, company, changes, reason, madeOn, conflicts } = suggestion
  const decide = async (what: 'accept' | 'decline') => {
    setBusy(what)
    try {
      await api(`POST /api/v1/company-edits/{id}/${what}`, { params: { id } })
      toast({ title: what === 'accept' ? 'Suggestion applied' : 'Suggestion declined' })
      onDecided()
    } catch (error) {
      reportError(what === 'accept' ? 'Couldn’t apply it' : 'Couldn’t decline it')(error)
    }
    await invalidateEdits(queryClient)
    setBusy(undefined)
  }
  return (
    <article className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <p className="mb-3 text-sm text-ink-faint">
        {showsCompany && (
          <>
            <a
              href={companyPath(company)}
              dir="auto"
              className="font-medium text-ink underline decoration-line-strong underline-offset-4"
            >
              {company.name}
            </a>
            {', '}
          </>
        )}
        {`${showsCompany ? 's' : 'S'}uggested by a member on ${dateText(madeOn)}`}
      </p>
      <ChangeList changes={changes} />
      {reason && (
        <p
          dir="auto"
          className="mt-3 border-s-2 border-line ps-3 text-sm leading-6 whitespace-pre-line text-ink-soft"
        >
          <span className="sr-only">Reason: </span>
          {reason}
        </p>
      )}
      {conflicts.length > 0 && (
        <p className="mt-3 flex gap-2.5 text-sm leading-6 text-danger">
          <Icon of={TriangleAlert} className="mt-1 size-4 shrink-0" />
          {`${conflicts.map((field) => EDIT_FIELD_NAMES[field as 'name']).join(', ')} changed since. Edit it by hand, or decline.`}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          size="sm"
          onClick={() => decide('accept')}
          busy={busy === 'accept'}
          disabled={busy !== undefined || conflicts.length > 0}
        >
          Accept
        </Button>
        <Button
          size="sm"
          variant="secondary"
          onClick={() => decide('decline')}
          busy={busy === 'decline'}
          disabled={busy !== undefined}
        >
          Decline
        </Button>
      </div>
    </article>
  )
}
