/** The rules of the house, for those who write and for those who are written about. Spec §2.17. */

import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { useSite } from '#app/kit/session/site.data.ts'
import { linkLook } from '#app/kit/ui/looks.ts'
import { EFFECTIVE, MailLink, MINIMUM_AGE, StaticPage } from './ui/static-page.tsx'

export default function TermsScreen() {
  const { siteName, siteUrl, flags } = useSite()
  return (
    <>
      <title>{`Terms of Service – ${siteName}`}</title>
      <meta
        name="description"
        content={`The rules of ${siteName}: what you may write, what is removed, and what employers can and cannot do.`}
      />
      <link rel="canonical" href={`${siteUrl}/terms`} />
      <StaticPage
        title="Terms of Service"
        isLegal
        lead="Say what is true, leave people’s names out of it, and let others disagree. The rest of this page is that sentence at more length."
        chapters={[
          {
            id: 'agreement',
            title: 'What you agree to',
            body: <Agreement name={siteName} hasCompanies={flags.enableCompanies} />,
          },
          { id: 'who', title: 'Who may use the site', body: <Who /> },
          { id: 'account', title: 'Your account', body: <Account /> },
          { id: 'anonymous-posting', title: 'Anonymous posting', body: <AnonymousPosting /> },
          { id: 'rules', title: 'What you may write', body: <Rules /> },
          { id: 'ratings', title: 'Ratings', body: <Ratings /> },
          { id: 'employers', title: 'Employers', body: <Employers /> },
          { id: 'moderation', title: 'Moderation', body: <Moderation /> },
          { id: 'your-words', title: 'Your words stay yours', body: <YourWords /> },
          { id: 'data', title: 'Your data', body: <YourData /> },
          { id: 'no-warranty', title: 'What we cannot promise', body: <NoWarranty /> },
          { id: 'ending', title: 'Leaving, and being asked to leave', body: <Ending /> },
          { id: 'updates', title: 'Updates to these terms', body: <Updates /> },
          { id: 'contact', title: 'Contact', body: <Contact /> },
        ]}
      />
    </>
  )
}

const Agreement = ({ name, hasCompanies }: { name: string; hasCompanies: boolean }) => (
  <p>
    {name} is a place{' '}
    {hasCompanies
      ? 'to look companies up, to discuss them anonymously and to rate them'
      : 'to discuss work anonymously'}
    . By using it you agree to these terms. If you cannot agree, please do not use it.
  </p>
)

const Who = () => (
  <p>
    You must be {MINIMUM_AGE} or older. The site is not for children under {MINIMUM_AGE}, and we
    close accounts that turn out to belong to them. If the law where you live asks for a higher age
    or for a parent’s consent, that applies to you.
  </p>
)

const Account = () => (
  <p>
    You can read and discuss without an account; rating needs one with a confirmed e-mail address.
    An account is for one person. Keep its password to yourself, and tell us if you think that
    someone else has it. Your username is made up for you; if you change it, pick one that does not
    name you or anybody else.
  </p>
)

const AnonymousPosting = () => (
  <>
    <p>
      Posts show a pseudonym for their thread, unless you choose to show your username. Do not try
      to find out who somebody is, and do not publish what you think you found out. Do not pose as
      another person or as a company that you do not speak for, and do not use several accounts or
      browsers to look like several people.
    </p>
    <p>
      Anonymity protects honest people; it does not put anyone above the law. You are responsible
      for what you write. What we keep, what we cannot know and what a court order could reach is in
      the{' '}
      <a href="/privacy" className={linkLook}>
        Privacy Policy
      </a>
      .
    </p>
  </>
)

const Rules = () => (
  <>
    <p>
      Write about what you have lived or seen yourself, and tell it honestly. Harsh is fine. These
      are not:
    </p>
    <ul>
      <li>
        <strong>Names of private individuals,</strong> or what amounts to a name: a description,
        picture, address or number by which a colleague or a manager can be found. Those who stand
        for a company in public may be named for what they do in that role.
      </li>
      <li>
        <strong>Threats,</strong> calls to violence, and harassment.
      </li>
      <li>
        <strong>Hatred</strong> for what people are: their origin, skin, faith, sex, orientation,
        disability or age.
      </li>
      <li>
        <strong>Confidential trade secrets:</strong> source code, unpublished figures, customers’
        data, documents. How you are treated at work is not a trade secret.
      </li>
      <li>
        <strong>Made-up experience:</strong> lies about facts, reviews that were paid for, praise
        for one’s own company in disguise, complaints about a competitor.
      </li>
      <li>
        <strong>Abuse of the site:</strong> spam, malware, attempts to break in or to overload it.
      </li>
      <li>Anything else that the law forbids.</li>
    </ul>
  </>
)

const Ratings = () => (
  <>
    <p>A company can be rated, from one to five, in four things:</p>
    <ul>
      {RATING_CATEGORIES.map(({ key, name }) => (
        <li key={key}>{name}</li>
      ))}
    </ul>
    <p>
      Each is optional, at least one is needed, and a note may be added. There is{' '}
      <strong>one rating per member and company</strong>. You can change yours or take it back
      whenever you like. Rate a place where you work, have worked or have been through hiring.
    </p>
  </>
)

const Employers = () => (
  <>
    <p>
      <strong>Employers have no power over what people say here.</strong> An employer whose claim to
      a company we approved can post its jobs and reply in its name, visibly so. They cannot delete,
      hide or reorder posts or ratings, cannot pay us to do it, and are not told who wrote what.
    </p>
    <p>
      If something about your company breaks these rules, report it like anyone else. If you believe
      that it breaks the law, write to <MailLink to="legal" /> and say which text, and why. You may
      not use the site to find out who among your people has spoken.
    </p>
  </>
)

const Moderation = () => (
  <>
    <p>
      Anyone can report a post. A moderator compares it with these terms and leaves it or removes
      it. The moderator does not see who wrote it.
    </p>
    <ul>
      <li>
        <strong>Critical content is not removed for being critical,</strong> however unwelcome it is
        to a company, and however large the company.
      </li>
      <li>
        <strong>Every removal is entered in a removal log</strong> with the rule that was broken, so
        that the removing can be checked too. The log does not say who the author was.
      </li>
      <li>
        We remove what breaks these terms or what the law makes us remove, and nothing else. If you
        think that we got it wrong, write to <MailLink to="legal" />.
      </li>
    </ul>
  </>
)

const YourWords = () => (
  <p>
    What you write belongs to you. You allow us to store it, to show it to everyone and to fit it to
    different screens and feeds, for as long as it is here. You can delete a thread of yours, and
    its comments go with it; without an account, from the browser that wrote it. Copies that others
    made are out of our reach.
  </p>
)

const YourData = () => (
  <p>
    Which data we collect, how we use and share it, cookies and analytics, and your rights are the
    subject of the{' '}
    <a href="/privacy" className={linkLook}>
      Privacy Policy
    </a>
    , which is part of these terms.
  </p>
)

const NoWarranty = () => (
  <p>
    Posts and ratings are the opinions and experience of those who wrote them. We do not check them
    for truth before they appear, so weigh them as you would any advice from a stranger. We look
    after the site with care, but cannot promise that it is always there, free of faults, or that
    nothing is ever lost. Nothing here takes away rights that the law gives you and that cannot be
    signed away.
  </p>
)

const Ending = () => (
  <p>
    You can stop at any time, and ask us to delete your account at <MailLink to="privacy" />. We may
    close the account of someone who breaks these terms badly or again and again. We do not close
    accounts because a company asks for it.
  </p>
)

const Updates = () => (
  <p>
    These terms are in force since {EFFECTIVE.text}. When they change, the date at the top changes
    with them, and a change that matters is announced on the site. Going on using the site then
    means that you agree.
  </p>
)

const Contact = () => (
  <ul>
    <li>
      About these terms, and legal notices: <MailLink to="legal" />
    </li>
    <li>
      About privacy: <MailLink to="privacy" />
    </li>
    <li>
      Press: <MailLink to="press" />
    </li>
  </ul>
)
