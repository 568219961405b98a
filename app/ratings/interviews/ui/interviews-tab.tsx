import { useInfiniteQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { CompanyReplySection } from '#app/community/replies/ui/reply-section.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Options, Select } from '#app/kit/ui/field.tsx'
import { dateText, grouped, plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { MoreButton } from '#app/kit/ui/paged-list.tsx'
import { Loading, Skeleton, SkeletonCard } from '#app/kit/ui/skeleton.tsx'
import { PostBody } from '#app/kit/writing/post-body.tsx'
import type { RatedCompany } from '../../rating.data.ts'
import type { NoteSort, Stars } from '../../rating.ts'
import { invalidateRatings } from '../../rating-actions.data.ts'
import { EntryTab, GiveLink } from '../../ui/entry-tab.tsx'
import { NoteActions, SORT_NAMES } from '../../ui/rating-notes.tsx'
import { useRatingQueries } from '../../ui/use-rating-queries.ts'
import type {
  InterviewContract,
  InterviewNumbersView,
  InterviewView,
} from '../interview.contract.ts'
import { interviewsQuery } from '../interview.data.ts'
import { DIFFICULTIES, FEELINGS, STEP_NAMES } from '../interview.ts'

const InterviewForm = lazyComponent(
  () => import('./interview-form.tsx').then((it) => it.InterviewForm),
  <SkeletonCard className="h-96" />,
)
/** Lazy, because most readers gave nothing. */
const OwnInterviewList = lazyComponent(() =>
  import('./own-interviews.tsx').then((it) => it.OwnInterviewList),
)

const YOURS = { tab: 'interviews', yours: 'your interview' }

export function InterviewsTab({ company }: { company: RatedCompany }) {
  const api = useApi<InterviewContract>()
  const [sort, setSort] = useState<NoteSort>('newest')
  const newest = useInfiniteQuery(interviewsQuery(api, company.id))
  const list = useInfiniteQuery(interviewsQuery(api, company.id, sort))
  const { queries, myRatings } = useRatingQueries(company)
  const first = newest.data?.pages[0]
  const texts = list.data?.pages.flatMap((page) => page.interviews) ?? []
  const isNone = first && !first.numbers && first.interviews.length === 0
  const give = <GiveLink company={company} preload={InterviewForm.preload} {...YOURS} />
  return (
    <EntryTab
      kind="interview"
      company={company}
      formerIds={first?.formerIds}
      Form={InterviewForm}
      List={OwnInterviewList}
      {...YOURS}
    >
      {({ isGiving, own }) => (
        <>
          {newest.isPending && (
            <Loading>
              <SkeletonCard className="h-64" />
            </Loading>
          )}
          {newest.isError && !first && (
            <LoadError text={errorSentence(newest.error)} onRetry={newest.refetch} />
          )}
          {isNone && !isGiving && (
            <EmptyState
              title="No interviews yet"
              text={`Were you interviewed at ${company.name}? Tell others what to expect. Yours appears at the beginning of a month, without a name or a day. You can change or remove it from this browser.`}
              action={give}
            />
          )}
          {first && !isNone && (
            <section aria-labelledby="interviews" className="grid grid-cols-[minmax(0,1fr)] gap-6">
              <div className="flex flex-wrap items-center justify-between gap-4">
                <h2 id="interviews" className="font-serif text-2xl font-medium tracking-tight">
                  What interviews are like
                </h2>
                {give}
              </div>
              {first.surge && (
                <p className="flex gap-3 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
                  <Icon of={TriangleAlert} className="mt-1 size-4 shrink-0 text-tea-strong" />
                  {`An unusual number of interviews were given in ${dateText(first.surge)}. The numbers count them from next month on.`}
                </p>
              )}
              {first.numbers ? (
                <Numbers numbers={first.numbers} />
              ) : (
                <p className="rounded-lg bg-sunken px-4 py-3 text-[0.9375rem] leading-7 text-ink-soft">
                  Numbers appear once five people have given an interview for the same year.
                </p>
              )}
            </section>
          )}
          {first && first.interviews.length > 0 && (
            <section aria-labelledby="texts" className="max-w-4xl">
              <div className="flex flex-wrap items-end justify-between gap-3">
                <h2 id="texts" className="font-serif text-2xl font-medium tracking-tight">
                  What they asked
                </h2>
                <div className="no-js:hidden">
                  <Select
                    label="Order"
                    value={sort}
                    onChange={({ target }) => setSort(target.value as NoteSort)}
                  >
                    <Options names={SORT_NAMES} />
                  </Select>
                </div>
              </div>
              {list.isPending && <Skeleton className="mt-5 h-32 w-full" />}
              {list.isError && texts.length === 0 && (
                <LoadError text={errorSentence(list.error)} onRetry={list.refetch} />
              )}
              <ul className="mt-5 divide-y divide-line border-y border-line empty:hidden">
                {texts.map((interview, i) => (
                  <li key={interview.id} className="py-5">
                    <InterviewText
                      interview={interview}
                      position={i + 1}
                      isMine={own.some(({ content }) => content?.id === interview.id)}
                      votes={myRatings?.helpful}
                      queries={queries}
                    />
                  </li>
                ))}
              </ul>
              <MoreButton
                list={list}
                label="Load more"
                busyLabel="Loading..."
                className="mt-6 min-h-11"
              />
            </section>
          )}
        </>
      )}
    </EntryTab>
  )
}

function Numbers({ numbers }: { numbers: InterviewNumbersView }) {
  const { interviews, offers, weeks, difficulty, feeling, steps } = numbers
  const facts = [
    ['Got an offer', `${offers}%`],
    ['How long it took', plural(weeks, 'week')],
    ['How hard it was', DIFFICULTIES[difficulty as Stars]],
    ['How it felt', FEELINGS[feeling as Stars]],
  ]
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 lg:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="flex flex-col border-t border-line pt-3">
            <dt className="text-sm text-ink-soft">{name}</dt>
            <dd className="mt-0.5 font-serif text-xl font-medium text-ink">{value}</dd>
          </div>
        ))}
      </dl>
      <ul aria-label="Steps" className="grid gap-2.5">
        {steps.map(({ step, share }) => (
          <li key={step} className="grid gap-1 text-sm text-ink-soft">
            <p className="flex justify-between gap-4">
              <span>{STEP_NAMES[step]}</span>
              <span className="font-semibold text-ink tabular-nums">{`${share}%`}</span>
            </p>
            <svg aria-hidden="true" className="block h-2 w-full overflow-hidden rounded-full">
              <rect width="100%" height="100%" className="fill-line" />
              <rect width={`${share}%`} height="100%" className="fill-star" />
            </svg>
          </li>
        ))}
      </ul>
      <p className="text-sm leading-6 text-ink-soft">
        {`From ${grouped(interviews)} interviews. The duration, how hard and how it felt are medians.`}
      </p>
    </>
  )
}

function InterviewText({ interview, position, isMine, ...votes }: TextProps) {
  const { id, year, month, difficulty, feeling, html, companyReply } = interview
  const { queries } = votes
  const { company } = queries
  return (
    <>
      <article
        id={`note-${id}`}
        aria-label={`An interview given in ${dateText(month)}, number ${position}`}
        className="scroll-mt-24"
      >
        <p className="dotted gap-y-1 text-sm text-ink-soft">
          <span className="font-medium text-ink">{year}</span>
          <span>{`Difficulty: ${DIFFICULTIES[difficulty as Stars].toLowerCase()}`}</span>
          <span>{`Felt: ${FEELINGS[feeling as Stars].toLowerCase()}`}</span>
          {isMine && <Badge tone="tea">Yours</Badge>}
        </p>
        <div className="mt-2 max-w-prose">
          <PostBody html={html} />
        </div>
        <div className="mt-2.5 flex justify-end">
          <NoteActions note={interview} what="interview" {...{ position, isMine, ...votes }} />
        </div>
      </article>
      <CompanyReplySection
        reply={companyReply}
        answered={{
          kind: 'note',
          id,
          path: `${company.path}?tab=interviews#note-${id}`,
          company,
        }}
        isOpen
        level={3}
        onChange={() => invalidateRatings(queries)}
        className="mt-3"
      />
    </>
  )
}

interface TextProps
  extends Pick<Parameters<typeof NoteActions>[0], 'position' | 'isMine' | 'votes' | 'queries'> {
  interview: InterviewView
}
