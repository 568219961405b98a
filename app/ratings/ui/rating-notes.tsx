import { useInfiniteQuery } from '@tanstack/react-query'
import { Flag, ThumbsUp } from 'lucide'
import { useState } from 'react'
import { CompanyReplySection } from '#app/community/replies/ui/reply-section.tsx'
import { ReportDialog } from '#app/community/reports/ui/report-button.tsx'
import { VerifiedMark } from '#app/companies/badges/ui/badge-mark.tsx'
import { RATING_CATEGORIES, type RatingCategory } from '#app/companies/company.ts'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { useSession } from '#app/kit/session/session.data.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Options, Select } from '#app/kit/ui/field.tsx'
import { dateText, grouped, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Score } from '#app/kit/ui/score.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import type { Helpful, MyRating, Note } from '../rating.contract.ts'
import { type NotesShown, notesQuery, type RatingQueries } from '../rating.data.ts'
import { type NoteSort, RATER_NAMES, type Relation } from '../rating.ts'
import { invalidateRatings, voteHelpful } from '../rating-actions.data.ts'
import { RateLink } from './rate-link.tsx'

const NoteTools = lazyComponent(() =>
  import('#app/community/reports/ui/post-tools.tsx').then((it) => it.NoteTools),
)

export function RatingNotes({ company, queries, myRatings }: RatingNotesProps) {
  const [shown, setShown] = useState<NotesShown>({})
  const list = useInfiniteQuery(notesQuery(queries.api, company.id, shown))
  const notes = list.data?.pages.flatMap((page) => page.notes) ?? []
  return (
    <section aria-labelledby="notes" className="max-w-4xl">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="notes" className="font-serif text-2xl font-medium tracking-tight">
          What people should know
        </h2>
        {myRatings?.rating ? null : <RateLink company={company} variant="secondary" />}
      </div>
      <NoteFilters shown={shown} onShow={setShown} />
      {list.isPending && <Skeleton className="mt-5 h-32 w-full" />}
      {list.isError && notes.length === 0 && (
        <LoadError
          title="Couldn’t load the notes"
          text={errorSentence(list.error)}
          onRetry={list.refetch}
        />
      )}
      {list.isSuccess && notes.length === 0 && (
        <p className="mt-4 leading-7 text-ink-soft">
          {shown.relation || shown.verified
            ? 'None of them have written a note yet.'
            : 'Stars, but no words yet. A sentence about what you wish you’d known helps most.'}
        </p>
      )}
      {notes.length > 0 && (
        <ul className="mt-5 divide-y divide-line border-y border-line">
          {notes.map((note, i) => (
            <li key={note.id} className="py-5">
              <NoteRow
                note={note}
                position={i + 1}
                isMine={myRatings?.rating?.id === note.id}
                votes={myRatings?.helpful}
                queries={queries}
              />
              <CompanyReplySection
                reply={note.companyReply}
                answered={{
                  kind: 'note',
                  id: note.id,
                  path: `${company.path}?tab=ratings#note-${note.id}`,
                  company,
                }}
                isOpen
                level={3}
                onChange={() => invalidateRatings(queries)}
                className="mt-3"
              />
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={list} label="Load more" busyLabel="Loading..." className="mt-6 min-h-11" />
    </section>
  )
}

function NoteFilters({
  shown,
  onShow,
}: {
  shown: NotesShown
  onShow: (shown: NotesShown) => void
}) {
  return (
    <div className="mt-4 flex flex-wrap gap-3 no-js:hidden">
      <Select
        label="Order"
        value={shown.sort ?? 'newest'}
        onChange={({ target }) => onShow({ ...shown, sort: target.value as NoteSort })}
      >
        <Options names={SORT_NAMES} />
      </Select>
      <Select
        label="Written by"
        value={shown.verified ? BY_BADGE : (shown.relation ?? '')}
        onChange={({ target }) => onShow({ sort: shown.sort, ...byWhom(target.value) })}
      >
        <option value="">Everyone</option>
        <Options names={RATER_NAMES} />
        <option value={BY_BADGE}>Verified employees</option>
      </Select>
    </div>
  )
}

const BY_BADGE = 'verified'

const byWhom = (value: string): Pick<NotesShown, 'relation' | 'verified'> =>
  value === BY_BADGE ? { verified: 'yes' } : { relation: (value || undefined) as Relation }

export const SORT_NAMES: Record<NoteSort, string> = { newest: 'Newest', helpful: 'Most helpful' }

/** My own vote counts immediately in my own browser. */
function helpfulnessOf(own: Helpful[], note: Pick<Note, 'id' | 'helpful'>) {
  const vote = own.find(({ id }) => id === note.id)
  return { isMine: vote !== undefined, n: note.helpful + (vote && !vote.isCounted ? 1 : 0) }
}

function NoteRow({ note, position, isMine, votes, queries }: NoteRowProps) {
  const { month, average, relation, html } = note
  const given = RATING_CATEGORIES.filter(({ key }) => note[key] !== null)
  return (
    <article
      id={`note-${note.id}`}
      aria-label={`A note from ${dateText(month)}, number ${position}`}
      className="scroll-mt-24"
    >
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-soft">
        <Score rating={average} className="text-ink" />
        <span>{dateText(month)}</span>
        {relation && <span>{RATER_NAMES[relation]}</span>}
        {note.isVerified && <VerifiedMark />}
        {isMine && <Badge tone="tea">Yours</Badge>}
      </p>
      <div className="mt-2 max-w-prose">
        <PostBody html={html} />
      </div>
      <div className="mt-2.5 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <p className="flex flex-wrap gap-x-4 text-[0.8125rem] leading-6 text-ink-faint">
          {given.map(({ key, name }) => (
            <span key={key}>
              <span aria-hidden="true">{SHORT_NAMES[key]} </span>
              <span className="sr-only">{`${name}: `}</span>
              <span className="font-medium text-ink-soft tabular-nums">{note[key]}</span>
              <span className="sr-only"> of 5. </span>
            </span>
          ))}
        </p>
        <NoteActions {...{ note, position, isMine, votes, queries }} />
      </div>
    </article>
  )
}

/** Voting, reporting and moderating, below a text that people gave with a rating or interview. */
export function NoteActions({
  note,
  what = 'note',
  position,
  isMine,
  votes,
  queries,
}: NoteActionsProps) {
  const canModerate = useSession().me?.can.includes('moderate') ?? false
  const { id } = note
  const helpfulness = votes && helpfulnessOf(votes, note)
  const helpful = helpfulness?.n ?? note.helpful
  const isHelpful = helpfulness?.isMine
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      {isMine || isHelpful === undefined ? (
        helpful > 0 && (
          <p className="inline-flex h-10 items-center gap-1.5 text-[0.8125rem] text-ink-faint md:h-8">
            {`${grouped(helpful)} found this helpful`}
          </p>
        )
      ) : (
        <button
          type="button"
          aria-pressed={isHelpful}
          aria-label={`Helpful, ${what} ${position}${helpful > 0 ? `, ${plural(helpful, 'vote')}` : ''}`}
          onClick={() =>
            voteHelpful(queries, votes ?? [], { id, isHelpful: !isHelpful }).catch(
              reportError('Your vote didn’t count'),
            )
          }
          className={cx(
            smallButton,
            isHelpful ? 'text-leaf' : 'text-ink-faint hover:bg-sunken hover:text-ink',
          )}
        >
          <Icon of={ThumbsUp} className={cx('size-4', isHelpful && 'fill-leaf-soft')} />
          Helpful
          {helpful > 0 && <span className="tabular-nums">{grouped(helpful)}</span>}
        </button>
      )}
      {!isMine && isHelpful !== undefined && <ReportButton {...{ id, position, what }} />}
      {canModerate && <NoteTools id={id} position={position} companyId={queries.company.id} />}
    </div>
  )
}

interface NoteActionsProps {
  note: Pick<Note, 'id' | 'helpful'>
  what?: 'note' | 'interview'
  /** Its position in the list, which distinguishes it for screen readers. */
  position: number
  isMine: boolean
  /** Undefined until we know this person's votes. */
  votes: Helpful[] | undefined
  queries: RatingQueries
}

function ReportButton({ id, position, what }: { id: string; position: number; what: string }) {
  /** Undefined until it first opens, because rows do without the dialog. */
  const [isReporting, setReporting] = useState<boolean>()
  return (
    <>
      <button
        type="button"
        {...ReportDialog.preload}
        onClick={() => setReporting(true)}
        className={cx(smallButton, 'text-ink-faint hover:bg-sunken hover:text-ink')}
      >
        <Icon of={Flag} className="size-3.5" />
        Report
        <span className="sr-only">{` this ${what}, number ${position}`}</span>
      </button>
      {isReporting !== undefined && (
        <ReportDialog open={isReporting} onOpenChange={setReporting} post={{ kind: 'note', id }} />
      )}
    </>
  )
}

const smallButton =
  '-mx-2.5 inline-flex h-10 items-center gap-1.5 rounded-md px-2.5 text-[0.8125rem] font-medium transition-colors md:h-8'

const SHORT_NAMES: Record<RatingCategory, string> = {
  rto: 'RTO',
  dei: 'DEI',
  workLife: 'Work-Life',
  culture: 'Culture',
}

interface RatingNotesProps {
  company: { id: string; name: string; path: string }
  queries: RatingQueries
  myRatings: { rating: MyRating | null; helpful: Helpful[] } | undefined
}

interface NoteRowProps extends Omit<NoteActionsProps, 'note' | 'what'> {
  note: Note
}
