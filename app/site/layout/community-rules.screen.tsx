/** What one may write here, to be read in a minute. The terms hold the same rules at length: change both. */
import { useSite } from '#app/kit/session/site.data.ts'
import { linkLook } from '#app/kit/ui/looks.ts'
import { type Chapter, StaticPage } from './ui/static-page.tsx'

export default function CommunityRulesScreen() {
  const { siteName, siteUrl } = useSite()
  return (
    <>
      <title>{`Community rules – ${siteName}`}</title>
      <meta
        name="description"
        content={`The rules of ${siteName} in a minute: what is welcome, and what a moderator removes.`}
      />
      <link rel="canonical" href={`${siteUrl}/community-rules`} />
      <StaticPage
        title="Community rules"
        lead="Be honest about work, and kind about people. The rest follows from that."
        chapters={CHAPTERS}
      />
    </>
  )
}

const CHAPTERS: Chapter[] = [
  {
    id: 'welcome',
    title: 'What is welcome',
    body: (
      <ul>
        <li>What you have lived or seen at work yourself: good, bad and in between.</li>
        <li>Criticism of a company, however harsh and however large the company.</li>
        <li>Pay, hours, policies, layoffs: how people are treated at work is no trade secret.</li>
        <li>Questions, also those that nobody dares to ask in the office.</li>
      </ul>
    ),
  },
  {
    id: 'people',
    title: 'Leave people out of it',
    body: (
      <>
        <p>
          Nobody who works somewhere has agreed to be talked about here. So write “my manager”, not
          a name, and leave out what comes to the same: a picture, an address, a description that
          fits one person alone. Those who speak for a company in public may be named for what they
          do in that role.
        </p>
        <p>
          Do not try to find out who wrote something, and do not publish what you think you found
          out.
        </p>
      </>
    ),
  },
  {
    id: 'removed',
    title: 'What a moderator removes',
    body: (
      <ul>
        <li>somebody’s private data;</li>
        <li>threats, harassment, and hatred for what people are;</li>
        <li>spam and advertising, also for one’s own company in disguise;</li>
        <li>confidential documents, source code, customers’ data;</li>
        <li>what has nothing to do with work, and is not meant to;</li>
        <li>what the law forbids.</li>
      </ul>
    ),
  },
  {
    id: 'more',
    title: 'When something goes wrong',
    body: (
      <p>
        Every post has “Report”. What happens then stands in{' '}
        <a href="/how-moderation-decides" className={linkLook}>
          How moderation decides
        </a>
        ; the rules at length are part of the{' '}
        <a href="/terms" className={linkLook}>
          Terms of Service
        </a>
        .
      </p>
    ),
  },
]
