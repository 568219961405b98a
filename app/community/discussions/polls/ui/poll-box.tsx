/** Offers a choice until I've voted or the poll is closed, then shows the results. They show sooner on request. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { reportError } from '#app/kit/forms/refusal.ts'
import { byThisClock } from '#app/kit/session/this-clock.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { grouped, plural } from '#app/kit/ui/format.ts'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { LocalTime, useMinute } from '#app/kit/ui/relative-time.tsx'
import type { MyThread, Thread } from '../../discussion.contract.ts'
import { type ThreadQueries, votePoll } from '../../discussion-actions.data.ts'

type Poll = NonNullable<Thread['poll']>

export function PollBox({ poll, queries, myThread }: PollBoxProps) {
  const [isPeeking, setPeeking] = useState(false)
  const results = myThread?.pollResults
  const isClosed = useIsClosed(poll)
  const isOpen = !isClosed && (myThread?.pollChoice ?? null) === null
  const votes = results ? results.reduce((sum, each) => sum + each, 0) : poll.votes
  return (
    <section
      id="poll-box"
      tabIndex={-1}
      aria-labelledby="poll"
      className="mt-6 rounded-xl border border-line bg-surface p-4 outline-none md:p-5"
    >
      <div className="flex items-center justify-between gap-4">
        <h2 id="poll" className="text-sm font-semibold">
          Poll
        </h2>
        {isClosed && <Badge>Closed</Badge>}
      </div>
      {results && (isPeeking || !isOpen) && (
        <Results poll={poll} results={results} votes={votes} choice={myThread.pollChoice} />
      )}
      {!results && isClosed && (
        <ul className="mt-3 grid gap-2 text-[0.9375rem]">
          {poll.options.map(({ index, text }) => (
            <li key={index} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        // The form stays mounted behind the results, to keep the choice.
        <div hidden={isPeeking}>
          <Ballot poll={poll} queries={queries} isReady={myThread !== undefined} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-4 text-[0.8125rem]">
        <p className="dotted text-ink-faint">
          <span aria-live="polite">{plural(votes, 'vote')}</span>
          <span>
            {isClosed ? 'Closed on' : 'Open until'} <LocalTime iso={poll.closesAt} />
          </span>
        </p>
        {isOpen && (
          <Button
            variant="ghost"
            size="sm"
            aria-disabled={!results || undefined}
            className="-mb-1 max-md:-ml-3 md:-mr-2 aria-disabled:opacity-100 no-js:hidden"
            onClick={() => results && setPeeking(!isPeeking)}
          >
            {isPeeking ? 'Back to the vote' : 'Show results'}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Whether a poll is closed. Changes while its page is open. */
function useIsClosed({ isClosed, closesAt }: Poll) {
  const now = useMinute()
  const [isOver, setOver] = useState(false)
  useEffect(() => setOver(byThisClock(Date.parse(closesAt)) <= now), [closesAt, now])
  return isClosed || isOver
}

function Ballot({
  poll,
  queries,
  isReady,
}: {
  poll: Poll
  queries: ThreadQueries
  isReady: boolean
}) {
  const [choice, setChoice] = useState<number>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // If someone chose before hydration, the form knows, but the state doesn't.
  useEffect(() => {
    const early = form.current?.querySelector<HTMLInputElement>('input:checked')
    if (early) setChoice(Number(early.value))
  }, [])
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (choice === undefined || isBusy) return
    setBusy(true)
    try {
      await votePoll(queries, choice)
      // The results replace the focused button.
      document.getElementById('poll-box')?.focus({ preventScroll: true })
    } catch (error) {
      reportError('Your vote didn’t count')(error)
    }
    setBusy(false)
  }
  return (
    <form ref={form} onSubmit={send} className="mt-3">
      <fieldset aria-labelledby="poll" className="grid gap-2">
        {poll.options.map(({ index, text }) => (
          <label
            key={index}
            className={cx(
              'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg border px-3.5 py-2 text-[0.9375rem] transition-colors',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-tea',
              choice === index
                ? 'border-tea bg-tea-soft'
                : 'border-line-strong/60 hover:border-ink-soft',
            )}
          >
            <input
              type="radio"
              name="poll"
              value={index}
              checked={choice === index}
              onChange={() => setChoice(index)}
              className="size-[1.125rem] shrink-0 accent-tea outline-none no-js:hidden"
            />
            <span dir="auto">{text}</span>
          </label>
        ))}
      </fieldset>
      <Button
        type="submit"
        className="mt-3 no-js:hidden"
        disabled={choice === undefined || !isReady}
        busy={isBusy}
        busyLabel="Voting..."
      >
        Vote
      </Button>
      <NeedsScripts className="mt-3">Voting needs JavaScript.</NeedsScripts>
    </form>
  )
}

function Results({ poll, results, votes, choice }: ResultsProps) {
  return (
    <ul className="mt-3 grid gap-3.5">
      {poll.options.map(({ index, text }, at) => {
        const count = results[at] ?? 0
        const share = votes > 0 ? Math.round((count / votes) * 100) : 0
        return (
          <li key={index}>
            <div className="flex items-baseline justify-between gap-4 text-[0.9375rem]">
              <span className={cx(choice === index && 'font-semibold')}>
                <span dir="auto">{text}</span>
                {choice === index && (
                  <span className="ml-2 text-[0.8125rem] font-medium text-tea">Your vote</span>
                )}
              </span>
              <span className="shrink-0 text-sm text-ink-soft tabular-nums">
                {share}%<span className="sr-only">,</span>{' '}
                <span className="text-ink-faint">
                  ({grouped(count)}
                  <span className="sr-only"> {count === 1 ? 'vote' : 'votes'}</span>)
                </span>
              </span>
            </div>
            <svg
              aria-hidden="true"
              className="mt-1.5 block h-2 w-full overflow-hidden rounded-full"
            >
              <rect width="100%" height="100%" className="fill-line" />
              <rect
                width={`${share}%`}
                height="100%"
                rx="4"
                className={choice === index ? 'fill-tea' : 'fill-line-strong'}
              />
            </svg>
          </li>
        )
      })}
    </ul>
  )
}

interface PollBoxProps {
  poll: Poll
  queries: ThreadQueries
  myThread: MyThread | undefined
}
interface ResultsProps {
  poll: Poll
  results: number[]
  votes: number
  choice: number | null
}
