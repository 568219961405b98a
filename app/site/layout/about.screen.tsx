/** What the site is, how it keeps people anonymous, and what it never does. Spec §2.17. */

import { RATING_CATEGORIES, type RatingCategory } from '#app/companies/company.ts'
import { useSite } from '#app/kit/session/site.data.ts'
import { buttonLook } from '#app/kit/ui/button.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { type Chapter, MailLink, StaticPage } from './ui/static-page.tsx'

export default function AboutScreen() {
  const { siteName, siteUrl, flags } = useSite()
  return (
    <>
      <title>{`About Us – ${siteName}`}</title>
      <meta
        name="description"
        content={`What ${siteName} is, how it keeps people anonymous, what they rate, and what we never do.`}
      />
      <link rel="canonical" href={`${siteUrl}/about`} />
      <StaticPage
        title="About Us"
        lead="Spill the tea. Rate your company. Keep your name to yourself."
        chapters={chaptersOf(siteName, flags.enableCompanies)}
      >
        {flags.enableCompanies && (
          <a href="/companies" className={`${buttonLook('primary', 'lg')} mt-12`}>
            Browse companies
          </a>
        )}
      </StaticPage>
    </>
  )
}

/** What each of the four asks, in a sentence. */
const QUESTIONS: Record<RatingCategory, string> = {
  rto: 'Are the rules about where you work clear, fair and followed?',
  dei: 'Who gets hired, heard and promoted, and who has to fit in?',
  workLife: 'Does the workday end, and does anyone mind when it does?',
  culture: 'How do people treat each other when no one’s watching?',
}

const chaptersOf = (siteName: string, hasCompanies: boolean): Chapter[] => [
  {
    id: 'what',
    title: `What ${siteName} is`,
    body: (
      <>
        <p>
          Every workplace has two descriptions: the one on its careers page, and the one that
          colleagues give each other over a cup of tea. {siteName} is for the second one.{' '}
          {hasCompanies
            ? 'Look a company up, ask the people who know, say what it is really like, and rate it.'
            : 'Ask the people who know, and say what it is really like.'}
        </p>
        <p>
          People speak more honestly when honesty cannot cost them their job. So anonymity is not a
          setting here; it decided how the site is built.
        </p>
      </>
    ),
  },
  {
    id: 'anonymity',
    title: 'How anonymity works, in five points',
    body: (
      <>
        <ol>
          <li>
            <strong>You can talk without an account.</strong> Your browser makes up a random secret
            and keeps it. We store only a keyed hash of it: enough to recognise your own posts, and
            no help in finding you.
          </li>
          <li>
            <strong>You have another name in every thread.</strong> Unless you choose to show your
            username, a post carries a pseudonym that stays the same within a thread and has nothing
            to do with the one in the next.
          </li>
          <li>
            <strong>Posts are filed under a key, not under an account.</strong> It is computed with
            a secret that is kept outside of the database. Moderators see neither that key nor an
            account nor an e-mail address.
          </li>
          <li>
            <strong>We do not watch the clock or the door.</strong> No last sign-in, no network
            address and no browser name in our tables or logs. A rating knows its month and no
            account.
          </li>
          <li>
            <strong>Your e-mail address is sealed.</strong> We store it encrypted, and the key is
            not in the database either.
          </li>
        </ol>
        <p>
          None of this is magic. Where it ends, and what your own words can give away, is written
          down in the{' '}
          <a href="/privacy" className={linkLook}>
            Privacy Policy
          </a>
          .
        </p>
      </>
    ),
  },
  {
    id: 'ratings',
    title: 'The four things that people rate',
    body: (
      <>
        <ul>
          {RATING_CATEGORIES.map(({ key, name }) => (
            <li key={key}>
              <strong>{name}</strong>
              <br />
              {QUESTIONS[key]}
            </li>
          ))}
        </ul>
        <p>
          Each from one to five, and only those that you can judge. Every member has one rating per
          company, and can change it or take it back. Numbers move once a day, for several people
          together, so that nobody can tell when somebody rated.
        </p>
      </>
    ),
  },
  {
    id: 'never',
    title: 'What we never do',
    body: (
      <ul>
        <li>Tell an employer who wrote something because they would like to know.</li>
        <li>Take money to hide, move, soften or remove what people say.</li>
        <li>Remove something because it is critical.</li>
        <li>Sell what we know about you, or ask members for their real name.</li>
        <li>Load analytics, or anything else from others, before you have said yes to it.</li>
      </ul>
    ),
  },
  {
    id: 'press',
    title: 'Press',
    body: (
      <p>
        Writing about workplaces, or about us? We are glad to explain how the site works:{' '}
        <MailLink to="press" />. We cannot put you in touch with the people who post here; not
        knowing who they are is the point.
      </p>
    ),
  },
]
