/** Five questions for an interview, with the numbers behind them. People can print them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Copy, Printer } from 'lucide'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useApi } from '#app/api/client.ts'
import type { DiscussionContract } from '#app/community/discussions/discussion.contract.ts'
import { companyTopicsQuery } from '#app/community/discussions/discussion.data.ts'
import type { CompanyPageView } from '#app/companies/company.contract.ts'
import { companyPath } from '#app/companies/company.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { copyText } from '#app/kit/ui/share.ts'
import { useAnchor } from '#app/kit/ui/use-anchor.ts'
import type { RatingContract } from '#app/ratings/rating.contract.ts'
import { notesQuery, ratingsQuery } from '#app/ratings/rating.data.ts'
import { BEFORE_YOU_SIGN } from '../company-tabs.ts'
import { NOTE_WORDS, type Question, questionsFor, RULES } from '../interview-questions.ts'

export function BeforeYouSign({ company }: { company: CompanyPageView }) {
  const api = useApi<RatingContract, DiscussionContract>()
  const { flags } = useSite()
  // The tab fetches these two.
  const { data: ratings } = useQuery({ ...ratingsQuery(api, company.id), enabled: false })
  const notes = useInfiniteQuery({ ...notesQuery(api, company.id), enabled: false })
  const talk = useQuery({
    ...companyTopicsQuery(api, company.id),
    enabled: flags.enableDiscussions,
  })
  // Otherwise, other questions would appear first.
  if (!ratings || talk.isLoading) return null
  const questions = questionsFor({
    // A made-up company only has other made-up ones as similar companies.
    company: company.demo ? { ...company, similar: [] } : company,
    ratings,
    notes: notes.data?.pages[0]?.notes,
    talk: talk.data,
  })
  return <Questions company={company} questions={questions} />
}

function Questions({ company, questions }: { company: CompanyPageView; questions: Question[] }) {
  const { siteName, siteUrl, flags } = useSite()
  const sheet = useAnchor<HTMLElement>(BEFORE_YOU_SIGN)
  const [printedOn, setPrintedOn] = useState<string>()
  const print = () => {
    const { current } = sheet
    if (!current) return
    const now = new Date()
    const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    flushSync(() => setPrintedOn(dateText(today.join('-'))))
    current.dataset.printed = ''
    addEventListener('afterprint', () => delete current.dataset.printed, { once: true })
    window.print()
  }
  const isAsked = questions.some(({ reason }) => reason !== null)
  return (
    <section
      ref={sheet}
      id={BEFORE_YOU_SIGN}
      aria-labelledby="questions"
      className="max-w-4xl rounded-xl border border-line bg-surface px-5 py-5 sm:px-6 print:border-0 print:p-0"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id="questions" className="font-serif text-2xl font-medium tracking-tight">
            Before you sign
          </h2>
          <p className="mt-1 text-[0.9375rem] leading-7 text-ink-soft print:hidden">
            {isAsked
              ? 'Five questions to ask in an interview, chosen from what people say here.'
              : 'Five questions to ask in an interview. We don’t know enough about this company yet, so these fit any.'}
          </p>
          <p className="mt-1 hidden print:block">
            {[`Questions for ${company.name}`, printedOn].filter(Boolean).join(', ')}
            <span className="block text-sm">
              {`${siteName}, ${siteUrl.replace(/^https?:\/\//, '')}${companyPath(company)}`}
            </span>
          </p>
        </div>
        <div className="flex gap-2 no-js:hidden print:hidden">
          <Button
            variant="secondary"
            icon={<Icon of={Copy} />}
            onClick={() =>
              copyText(questions.map(({ question }) => question).join('\n'), 'Questions copied')
            }
          >
            Copy
          </Button>
          <Button variant="secondary" icon={<Icon of={Printer} />} onClick={print}>
            Print
          </Button>
        </div>
      </div>
      <ol className="mt-4 grid list-decimal gap-5 pl-6 marker:text-ink-faint">
        {questions.map(({ question, reason }) => (
          <li key={question} className="break-inside-avoid pl-1">
            <p className="leading-6 font-medium text-pretty">{question}</p>
            {isAsked && (
              <p className="mt-1 text-sm leading-6 text-ink-soft">
                {reason ? (
                  <a
                    href={reason.href}
                    className={`${linkClasses} print:text-ink print:no-underline`}
                  >
                    {reason.why}
                  </a>
                ) : (
                  'Ask everywhere.'
                )}
              </p>
            )}
            <NoteLines />
          </li>
        ))}
      </ol>
      <details className="mt-5 border-t border-line pt-3 text-sm print:hidden">
        <summary className={`w-fit rounded-sm py-1 ${linkClasses}`}>How we choose these</summary>
        <HowChosen {...flags} />
      </details>
    </section>
  )
}

/** Room to write, on paper. */
const NoteLines = () => (
  <div aria-hidden="true" className="hidden print:block">
    {[1, 2, 3].map((line) => (
      <div key={line} className="h-[8mm] border-b border-line-strong" />
    ))}
  </div>
)

const HowChosen = ({ enableDiscussions }: { enableDiscussions: boolean }) => (
  <div className="mt-2 grid max-w-3xl gap-3 text-[0.9375rem] leading-7 text-ink-soft">
    <p>
      We choose them by fixed rules, from numbers that everyone can see on this site. There’s one
      question for each subject. We may ask it when one of these is true:
    </p>
    <ul className="grid list-disc gap-1 pl-5">
      {RULES.filter(({ id }) => enableDiscussions || id !== 'talk').map(({ id, when }) => (
        <li key={id}>{when}</li>
      ))}
    </ul>
    <p>
      The question whose number is furthest past its limit comes first. A gap of a whole star counts
      twice as much as half a star. An average needs at least five people. If fewer than five
      questions apply, we add some to ask everywhere. Companies can’t change the questions, and we
      don’t guess.
    </p>
    <p>{`We look for these words in notes: ${NOTE_WORDS.map((words) => words.join(', ')).join('; ')}.`}</p>
  </div>
)
