/**
 * How anonymity is kept, for readers, in two minutes. Each sentence must be true of the running site: who changes
 * what is stored changes it here, in the privacy policy, and in docs/anonymity.md.
 */
import { useSite } from '../../session/site.data.ts'
import { linkLook } from '../../ui/link-look.ts'
import { type Chapter, StaticPage } from './ui/static-page.tsx'
import { WhatIsKept } from './ui/what-is-kept.tsx'

export default function AnonymityScreen() {
  const { siteName, siteUrl, ratingBatch } = useSite()
  return (
    <>
      <title>{`How we keep you anonymous – ${siteName}`}</title>
      <meta
        name="description"
        content={`What ${siteName} keeps of you, what it never writes down, and what it cannot do for you. In two minutes.`}
      />
      <link rel="canonical" href={`${siteUrl}/anonymity`} />
      <StaticPage
        title="How we keep you anonymous"
        lead="What you say about work should not cost you your work. So we built the site to know as little of you as it can. Here is how, in two minutes."
        chapters={CHAPTERS.filter(({ id }) => id !== 'together' || ratingBatch > 1)}
      />
    </>
  )
}

const CHAPTERS: Chapter[] = [
  {
    id: 'kept',
    title: 'What we keep',
    body: (
      <>
        <WhatIsKept />
        <p>
          Your account on one side, what you say on the other, and no line between them in the
          database. What tells us which posts are yours is computed with a key that lies outside of
          it. No page, no moderator and no company ever gets to see an account.
        </p>
      </>
    ),
  },
  {
    id: 'not-kept',
    title: 'What we never write down',
    body: (
      <ul>
        <li>your network address, your browser, your device;</li>
        <li>when you sign in, come back, read or search;</li>
        <li>on which day you made your account, or rated: we know the month.</li>
      </ul>
    ),
  },
  {
    id: 'names',
    title: 'Another name in every thread',
    body: (
      <p>
        Unless you choose your username, each thread draws a name for you. It stays the same there,
        so that people can answer you, and has nothing to do with your name in the next thread. You
        can also write without any account.
      </p>
    ),
  },
  {
    id: 'together',
    title: 'Numbers that move together',
    body: (
      <p>
        A number that moves the minute you rate would say that it was you. So what people give is
        published once a day, when several have rated the same company, so that nobody can tell when
        you did. You see the number with your own stars in it right away.
      </p>
    ),
  },
  {
    id: 'limits',
    title: 'What we cannot do for you',
    body: (
      <>
        <ul>
          <li>
            <strong>Your words are yours.</strong> A story, a date or a turn of phrase can be enough
            for a colleague. Leave out what only you could know; the composer warns you of some of
            it.
          </li>
          <li>
            <strong>A network sees that you were here.</strong> Not what you wrote, but that you
            came, and when. Do not use your employer’s network or device.
          </li>
          <li>
            <strong>Few people are few people.</strong> In a company of ten, four stars and a month
            can be evidence.
          </li>
          <li>
            <strong>Your first day stands out.</strong> Until the following night, a thief of our
            database could tell what a new account wrote, though not whose it is. Join today, write
            tomorrow.
          </li>
          <li>
            <strong>Whoever runs the server could look.</strong> With its key in hand, an account
            can be connected with what it wrote. We do not do that, and we would rather tell you
            than promise magic.
          </li>
        </ul>
        <p>
          All of it, to the last row, is in the{' '}
          <a href="/privacy" className={linkLook}>
            Privacy Policy
          </a>
          .
        </p>
      </>
    ),
  },
]
