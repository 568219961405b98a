import { useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { companyPath } from '../../company.ts'
import { EDIT_FIELD_NAMES } from '../company-edit.ts'
import type { EditContract, Suggestion } from '../edit-company.contract.ts'
import { invalidateEdits } from '../edit-company.data.ts'
import { ChangeList } from './change-list.tsx'

interface SuggestionCardProps {
  suggestion: Suggestion
  showsCompany: boolean
  /** The card with the focus is about to disappear. */
  onDecided: () => void
}

export function SuggestionCard({ suggestion, showsCompany, onDecided }: SuggestionCardProps) {
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
      toast({ title: 'That didn’t work', description: refusalOf(error), variant: 'destructive' })
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
