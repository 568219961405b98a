/**
 * How anonymity is kept, for readers, in two minutes. Each sentence must be true of the running site: who changes
 * what is stored changes it here, in the privacy policy, and in docs/what-is-kept.md.
 */
import { useSite } from '#app/kit/session/site.data.ts'
import { linkLook } from '#app/kit/ui/looks.ts'
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
          Your account on one side, what you say on the other, and no line between them. No page, no
          moderator and no company ever gets to see an account.
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
        Unless you choose your username, each thread draws another name for you. You can also write
        without an account.
      </p>
    ),
  },
  {
    id: 'proof',
    title: 'A rating comes with a proof, not with a name',
    body: (
      <p>
        Your browser has a secret that we never learn. It proves that a member rates this company
        once, no more: not even all our keys say who gave a rating.
      </p>
    ),
  },
  {
    id: 'together',
    title: 'Numbers that move together',
    body: (
      <p>
        A number that moves the minute you rate would say that it was you. So what people give is
        published once a day, several together, so that nobody can tell when you did.
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
            <strong>Your words are yours.</strong> A story or a turn of phrase can be enough for a
            colleague. Leave out what only you could know.
          </li>
          <li>
            <strong>A network sees you here.</strong> Do not use your employer’s network or device.
          </li>
          <li>
            <strong>Few people are few people.</strong> In a company of ten, four stars and a month
            can be evidence.
          </li>
          <li>
            <strong>The day stands out.</strong> Until the night, a thief of our database can tell
            what a new account wrote, and with our keys what you rated beside a post. Join today,
            write tomorrow.
          </li>
          <li>
            <strong>Whoever runs the server could look.</strong> With its key an account can be
            connected with what it wrote, though not with what it rated; and it could send you
            another program. We would rather tell you than promise magic.
          </li>
        </ul>
        <p>
          Nobody outside has reviewed yet how ratings are proven. All of it, to the last row, is in
          the{' '}
          <a href="/privacy" className={linkLook}>
            Privacy Policy
          </a>
          .
        </p>
      </>
    ),
  },
]
