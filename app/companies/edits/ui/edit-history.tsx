/** Never shows who made a change. */

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { useIsKnown, useSession } from '#app/kit/session/session.data.ts'
import { Badge, type BadgeTone } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { MERGE_WORDS } from '../../merging/merging.ts'
import { EDIT_FIELD_NAMES, EDIT_STATE_NAMES, type EditState } from '../company-edit.ts'
import type { Edit, EditContract } from '../edit-company.contract.ts'
import { editsQuery, invalidateEdits } from '../edit-company.data.ts'
import { ChangeList } from './change-list.tsx'

const TONES: Record<EditState, BadgeTone> = {
  suggested: 'tea',
  applied: 'leaf',
  declined: 'quiet',
  reverted: 'quiet',
}

export function EditHistory({ companyId }: { companyId: string }) {
  const api = useApi<EditContract>()
  const isKnown = useIsKnown()
  const list = useInfiniteQuery({ ...editsQuery(api, companyId), enabled: isKnown })
  const edits = list.data?.pages.flatMap((page) => page.edits) ?? []
  return (
    <section aria-labelledby="edit-history">
      <h2 id="edit-history" className="font-serif text-2xl font-medium tracking-tight">
        History
      </h2>
      {list.isError ? (
        <LoadErrorLine text="Couldn’t load the history." onRetry={list.refetch} />
      ) : (
        <p className="text-ink-soft not-empty:mt-3" role="status">
          {!list.data && 'Loading...'}
          {list.data && edits.length === 0 && 'No changes yet.'}
        </p>
      )}
      <ul className="mt-4 grid gap-4">
        {edits.map((edit) => (
          <li key={edit.id} className="border-l-2 border-line pl-4">
            <PastEdit edit={edit} />
          </li>
        ))}
      </ul>
      <MoreButton list={list} className="mt-4" />
    </section>
  )
}

function PastEdit({ edit }: { edit: Edit }) {
  const { me } = useSession()
  const canRevert = edit.canTakeBack && me?.can.includes('editCompanies')
  const isMerge = edit.fields.includes('merged')
  const names = edit.fields.map((field) => EDIT_FIELD_NAMES[field as 'name'])
  return (
    <>
      <p className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-faint">
        <time dateTime={edit.madeOn}>{dateText(edit.madeOn)}</time>
        {edit.isMine ? 'You' : edit.by === 'member' ? 'A member' : 'An administrator'}
        <Badge tone={TONES[edit.state]}>{EDIT_STATE_NAMES[edit.state]}</Badge>
        {edit.formerly && <span dir="auto">{`When it was ${edit.formerly}`}</span>}
      </p>
      {edit.changes ? (
        <ChangeList changes={edit.changes} />
      ) : (
        <p className="text-sm text-ink-soft">
          {`${names.join(', ')}. We show what was suggested once it’s accepted.`}
        </p>
      )}
      {canRevert && isMerge && (
        <p className="mt-3 max-w-prose text-sm leading-6 text-ink-soft">{MERGE_WORDS.undoable}</p>
      )}
      {canRevert && <Revert id={edit.id} what={names.join(', ')} isMerge={isMerge} />}
    </>
  )
}

function Revert({ id, what, isMerge }: { id: number; what: string; isMerge: boolean }) {
  const api = useApi<EditContract>()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const revert = async () => {
    setBusy(true)
    try {
      await api('POST /api/v1/company-edits/{id}/revert', { params: { id } })
      toast({ title: isMerge ? MERGE_WORDS.undone : 'Change undone' })
    } catch (error) {
      toast({ title: 'Couldn’t undo', description: refusalOf(error), variant: 'destructive' })
    }
    await invalidateEdits(queryClient)
    setBusy(false)
  }
  return (
    <Button
      size="sm"
      variant="secondary"
      className="mt-3"
      busy={isBusy}
      onClick={revert}
      aria-label={isMerge ? undefined : `Undo: ${what}`}
    >
      {isMerge ? MERGE_WORDS.undoOpen : 'Undo'}
    </Button>
  )
}
