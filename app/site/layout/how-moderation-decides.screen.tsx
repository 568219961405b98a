/** What becomes of a report, step by step. Each sentence must be true of the running site. D9. */

import {
  BURST_POSTS,
  HOLD_AFTER_REPORTS,
  REASON_NAMES,
  REASONS,
  SUSPENSION_DAYS,
} from '#app/community/reports/report.ts'
import { CompanyRemovals } from '#app/community/reports/ui/company-removals.tsx'
import { useSite } from '#app/kit/session/site.data.ts'
import { linkLook } from '#app/kit/ui/looks.ts'
import { type Chapter, MailLink, StaticPage } from './ui/static-page.tsx'

export default function HowModerationDecidesScreen() {
  const { siteName, siteUrl, flags } = useSite()
  return (
    <>
      <title>{`How moderation decides – ${siteName}`}</title>
      <meta
        name="description"
        content={`What becomes of a report on ${siteName}: who looks, by which rules, what the author hears, and who checks the moderators.`}
      />
      <link rel="canonical" href={`${siteUrl}/how-moderation-decides`} />
      <StaticPage
        title="How moderation decides"
        lead="A moderator judges the post, not the person, and answers for it. Here is the way of a report from beginning to end."
        chapters={CHAPTERS}
      >
        {flags.enableDiscussions && <CompanyRemovals />}
      </StaticPage>
    </>
  )
}

const CHAPTERS: Chapter[] = [
  {
    id: 'report',
    title: 'Somebody reports a post',
    body: (
      <>
        <p>Anybody can, also without an account, and gives one of these reasons:</p>
        <ul>
          {REASONS.map((reason) => (
            <li key={reason}>{REASON_NAMES[reason]}</li>
          ))}
        </ul>
        <p>
          “It is not true” is not among them: nobody here can know what is true at somebody’s work,
          and with such a button critical posts would vanish.
        </p>
      </>
    ),
  },
  {
    id: 'held',
    title: 'What waits for a moderator',
    body: (
      <p>
        A post stays visible until a moderator decides, with these exceptions: when{' '}
        {HOLD_AFTER_REPORTS} members with a confirmed address have reported it, when somebody new
        posts more than {BURST_POSTS} times within an hour, when it has words or links that
        moderators watch for, and, while they ask for it, when it is among somebody’s first. Reports
        of visitors reach the moderators, but hide nothing. Once a moderator has kept a post as it
        is, reports alone never hide it again unless its author changes it.
      </p>
    ),
  },
  {
    id: 'decision',
    title: 'A moderator looks at it',
    body: (
      <>
        <p>
          The moderator sees the post where it stands, how many reported it and why, and neither who
          wrote it nor who reported it. Then the post is kept, or removed under one of the reasons
          above. A discussion can also be slowed down or closed to new comments, or moved to the
          company or topic that it is about.
        </p>
        <p>
          Whoever breaks the rules badly or again and again can be kept from writing for{' '}
          {SUSPENSION_DAYS.slice(0, -1).join(', ')} or {SUSPENSION_DAYS.at(-1)} days. Even that is
          done at a post: the moderator does not learn whose it is.
        </p>
      </>
    ),
  },
  {
    id: 'author',
    title: 'The author hears of it, and can object',
    body: (
      <p>
        Authors find what was done to their posts, and why, in My discussions; removed words stay
        there for them alone. Each removal can be appealed once, with reasons. Another moderator
        decides about that wherever there is one.
      </p>
    ),
  },
  {
    id: 'companies',
    title: 'What companies can do',
    body: (
      <p>
        The same as everybody: report, and reply. They cannot delete, hide or reorder what is said
        about them, nor pay us for it. Who believes that a text breaks the law writes to{' '}
        <MailLink to="legal" />.
      </p>
    ),
  },
  {
    id: 'checked',
    title: 'Who checks the moderators',
    body: (
      <p>
        Every decision stands in a log under the moderator’s name, and can be undone. How many posts
        were removed, by company, month and reason, is public: at the foot of each company’s
        discussions, and below for those about no company. The rules themselves are the{' '}
        <a href="/community-rules" className={linkLook}>
          Community rules
        </a>
        .
      </p>
    ),
  },
]
