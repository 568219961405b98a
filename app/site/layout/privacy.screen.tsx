/**
 * What is kept about people, what is not, and where anonymity ends. Spec §2.17. Each sentence must
 * be true of the running site: who changes what is stored changes it here and in docs/what-is-kept.md.
 */
import { useState } from 'react'
import { DIALOG_TEXTS } from '#app/kit/consent/consent.ts'
import { PreferencesDialog } from '#app/kit/consent/ui/lazy-preferences-dialog.ts'
import { useSite } from '#app/kit/session/site.data.ts'
import { linkLook } from '#app/kit/ui/looks.ts'
import { DELETED_DAYS } from '#app/office/contact/contact.ts'
import { EFFECTIVE, MailLink, MINIMUM_AGE, StaticPage } from './ui/static-page.tsx'

export default function PrivacyScreen() {
  const { siteName, siteUrl } = useSite()
  return (
    <>
      <title>{`Privacy Policy – ${siteName}`}</title>
      <meta
        name="description"
        content={`What ${siteName} keeps about you, what it does not keep, and where anonymity ends.`}
      />
      <link rel="canonical" href={`${siteUrl}/privacy`} />
      <StaticPage
        title="Privacy Policy"
        isLegal
        lead="You should be able to say what a workplace is like without saying who you are. Here is what we keep for that, what we do not keep, and where anonymity ends."
        chapters={[
          { id: 'in-short', title: 'In short', body: <InShort /> },
          { id: 'collected', title: 'Data we collect', body: <Collected /> },
          { id: 'not-kept', title: 'What we do not keep', body: <NotKept /> },
          { id: 'use', title: 'How we use it', body: <Use /> },
          { id: 'anonymous-posting', title: 'Anonymous posting', body: <AnonymousPosting /> },
          { id: 'limits', title: 'Where anonymity ends', body: <Limits /> },
          { id: 'cookies', title: 'Cookies and analytics', body: <Cookies /> },
          { id: 'sharing', title: 'Sharing', body: <Sharing /> },
          { id: 'how-long', title: 'How long we keep it', body: <HowLong /> },
          { id: 'rights', title: 'Your rights', body: <Rights /> },
          { id: 'children', title: `Children under ${MINIMUM_AGE}`, body: <Children /> },
          { id: 'updates', title: 'Updates to this policy', body: <Updates /> },
          { id: 'contact', title: 'Contact', body: <Contact /> },
        ]}
      />
    </>
  )
}

const InShort = () => (
  <ul>
    <li>Reading needs no account, and neither does joining a discussion.</li>
    <li>
      What you write is filed under a key that names nobody. E-mail addresses of accounts are stored
      encrypted. A rating holds no account and no time finer than its month.
    </li>
    <li>Our tables and logs hold no network addresses, no browser names and no last sign-in.</li>
    <li>Nothing from anyone else loads unless analytics is set up here and you agreed to it.</li>
    <li>
      We cannot hand over what we do not have. But whoever controls the running server and its key
      could connect an account with what it wrote, though not with what it rated. “Where anonymity
      ends”, further down, says what that means.
    </li>
  </ul>
)

const Collected = () => (
  <>
    <h3>When you read</h3>
    <p>
      We count how often company pages are viewed. When a company is clicked we may note the
      company, the time and a pseudonym for you that is computed with a key that changes every day,
      so that it does not follow you into tomorrow. Administrators can see that list. So that we
      know how many people a day brings, looking at a company’s page sets one of the day’s 65,536
      marks, which others may share and which is chosen with that same key from your network or,
      when you are signed in, from your account; the next day only a number is left. Your network
      address is used in the server’s memory to limit abuse, and is written nowhere.
    </p>
    <h3>When you write without an account</h3>
    <p>
      Your browser makes up a secret, <code>anon-</code> and 128 random bits, and keeps it. It is
      sent along with what you do, so that you can vote once and delete what is yours. But it stays
      your browser’s alone: we keep only a keyed hash of it, and no answer of this site to anyone
      ever contains it. Clear your browser’s storage and it is gone, unless you took it along as
      twelve words: under My discussions you can, and whoever has them can change and delete what
      you wrote with it. Without them nobody can then show that those posts were yours, not even
      you.
    </p>
    <h3>When you have an account</h3>
    <p>
      Your e-mail address, encrypted, with a keyed hash of it by which we find your account when you
      sign in; your password as a hash only; a username that is made up for you and that you can
      change; whether your address is confirmed; when your profile was made; and whether you are an
      employer, a moderator or an administrator. With two-step sign-in also the secret of your app
      or the public key of your passkey, encrypted with the name that you gave it, and hashes of
      your recovery codes. That you are signed in is kept without the time, the address or the
      device.
    </p>
    <h3>Threads, comments, votes and reports</h3>
    <p>
      What you wrote or chose, the name that you chose to show, of a post the time to the minute,
      and <strong>author keys</strong>: keyed hashes (HMAC) of a secret of your account or of your
      browser, made with a key that is kept outside of the database. They tell us which posts are
      yours. They do not tell the database who you are, and they differ from thread to thread, so it
      does not know either which posts belong together. Your notifications, the companies you follow
      and the threads you mute have keys of their own; notifications are deleted after 90 days. If
      you want mails about them, that wish is kept under another keyed hash, and the mails name no
      company and no thread.
    </p>
    <h3>Ratings</h3>
    <p>
      Your scores, your note and what you say of your time there if you want to, and the month. No
      account and no finer time. Soon after you log in with a confirmed address your browser makes
      up a secret, whether you rate or not, or with your first rating if that comes first. With it,
      it proves that you are a member who rates this company once, and not who you are; it sends
      that some time later, without your session or anything else that leads to you. Beside the
      rating lies a number that only this secret makes, another one for each company, and the hash
      of a key by which your browser finds it again.
    </p>
    <p>
      With your account we keep that it has such a secret and since which month, and, if you want to
      change your ratings from other devices too, the secret itself, encrypted in your browser with
      twelve words, a passkey or your password. None of it says what you rated, or whether you did,
      not even with all of our keys. A password is less than twelve words: we see it as you type it.
    </p>
    <p>
      Ratings from before this was so carry a keyed hash of your account and the company together,
      until you change them or take them back.
    </p>
    <Publication />
    <Badges />
    <Rooms />
    <h3>What you send us</h3>
    <p>
      A contact message is kept as you wrote it, with the name you gave, your address, encrypted,
      with a keyed hash to find it by, and the hour, and without account or browser; administrators
      read it, and their answers are kept with it. Beside it stand the subject that you chose, of a
      legal notice the hour until which we answer, which administrator looks after it, the labels
      that they gave it, and, looked up anew each time, the title of a thread or the name of a
      company whose address is in it. A request for a company is kept with its name, its website,
      the day and, if you left one, your address, encrypted. If you are signed in, the request
      belongs to your account, and the owner of the site sees your address beside it; if you would
      rather not be tied to a company, sign out first and leave no address. When you ask to speak
      for a company, we keep the claim and what became of it; the work address that you show it with
      is kept encrypted, and is deleted as soon as the claim is decided. Whom they invite to act for
      it, too, we keep by an encrypted address, for two weeks at most; colleagues see each other’s
      usernames, and nobody else does. Changes that you suggest to a company’s page become part of
      its visible history.
    </p>
  </>
)

const Badges = () => (
  <p>
    With a badge you can show that you work at a company, beside what you rate or write. For it a
    mail goes to your work address, which your employer can see there. We do not keep the address,
    nor who asked: until the end of the next quarter there is a keyed hash of it with the company’s
    domain, so that it is not used twice. Beside a rating the domain is kept, beside a post also the
    company. With our key and a list of a company’s addresses one could tell which of them have a
    badge, but not of which account, or what was shown with it; where few have one, that is little
    to hide behind.
  </p>
)

const Rooms = () => (
  <p>
    In the room of a company its colleagues write among themselves. Your browser proves that you
    have the badge, once a day to read and once for each post, and sends nothing else of you. Of a
    post we keep its words, the name that it stands under, its month, until the night that it is
    new, the domain, and two keys that are good for that thread alone: it leads to no account, not
    even with our key. Moderators see what a colleague reports. Whoever can read mail at the company
    can have a badge, your employer too. When you delete your account, what you wrote in a room
    stays: delete it there before.
  </p>
)

/** With a batch of one each rating counts at once. */
function Publication() {
  const { ratingBatch } = useSite()
  return ratingBatch > 1 ? (
    <p>
      What you give, change or take back counts from the next publication, together with what others
      gave, so that nobody can tell when you did; at the latest when a whole month has passed. Until
      then you alone see it in the numbers. Words that you take back are gone the next morning.
    </p>
  ) : (
    <p>
      What you give, change or take back counts at once: whoever watches the numbers can tell when
      you did.
    </p>
  )
}

const NotKept = () => (
  <>
    <ul>
      <li>No network (IP) address and no browser name (user agent), in tables or in logs.</li>
      <li>No list of where you are signed in, and no time of any sign-in.</li>
      <li>No browser secret, only its keyed hash.</li>
      <li>
        No account, e-mail address or browser secret beside a thread, comment, vote or report.
      </li>
      <li>No account and no day beside a rating.</li>
      <li>No real names or phone numbers of members; we do not ask for them.</li>
    </ul>
    <p>
      The logos of companies are fetched by our server from the companies’ own sites and shown from
      here. Your browser asks nobody but us, so no company learns that you looked at its page.
    </p>
  </>
)

const Use = () => (
  <>
    <p>We use what we keep to run the site, and for nothing else:</p>
    <ul>
      <li>to show what people write and rate, and to let you change or delete what is yours;</li>
      <li>to let each person vote once, and each member rate a company once;</li>
      <li>
        to sign you in, and to send the mail that you asked for: a confirmation, a password reset,
        an alert, the news that a company was added;
      </li>
      <li>to handle reports, answer messages and keep out abuse;</li>
      <li>to count which companies people look at, for lists such as the trending companies.</li>
    </ul>
    <p>We make no advertising profiles, and we do not try to work out who you are.</p>
  </>
)

const AnonymousPosting = () => (
  <>
    <p>
      With each post you choose what is shown: your username, or a pseudonym for this thread. The
      pseudonym is the default. The same person has the same pseudonym within a thread, so that a
      conversation can be followed, and whoever opened the thread is marked OP. Between threads the
      pseudonyms have nothing to do with each other. Without an account you appear as Anonymous,
      with such a pseudonym.
    </p>
    <p>
      No page and no answer of the site, for readers or for moderators, contains an account, an
      e-mail address or an author key. A moderator who reads a report sees the post, not the person.
    </p>
    <p>
      One thing to know before you choose your username: within a thread, what you write has one
      author key, so there a post under your username leads to those under your pseudonym for
      someone who had stolen the database. Between threads nothing joins your posts but your words:
      a text by which somebody knows you is known wherever it stands.
    </p>
  </>
)

const Limits = () => (
  <>
    <p>Anonymity that is oversold hurts people. So this is what ours cannot do.</p>
    <h3>Whoever holds the server and its key</h3>
    <p>
      The database alone does not say which account wrote what. But the running server has to
      compute the keys of what you write each time, so whoever controls it and its key can do the
      same: compute the keys of an account and find its posts, or open whose post it is, also of an
      account that is gone, and open the encrypted e-mail address. We do not do this to find out who
      said something. It can be done, though, and you should know it.
    </p>
    <p>
      Your ratings cannot be found that way: only your browser has what they are computed from. What
      remains is a server that sends your browser another program, or that watches what arrives from
      where and when. Nobody outside has reviewed how we do it yet; we ask for it.
    </p>
    <p>
      For posts without an account this leads nowhere: the secret is random, cannot be guessed, and
      only your browser has it. While a request is being answered, the server’s memory does hold
      your secret and your network address; our program writes neither down.
    </p>
    <h3>Your first day</h3>
    <p>
      Whoever copies our database before the night that follows can tell from the order of what was
      written which new account posted or rated on the day it was made; not whose account it is, as
      the address is encrypted. With all of our keys such a copy may also tell what was rated in the
      same visit as a post. After that night the order is gone. To be safe from it, join today and
      write tomorrow, and do not rate and post in one visit.
    </p>
    <h3>What a court order could reach</h3>
    <p>
      A court with power over us can make us hand over what we have, and make us compute what can be
      computed: for an account, its e-mail address and what it wrote, but not what it rated; for a
      post from an account, that account. It cannot get addresses, devices, sign-in times or browser
      secrets from our records, as they were never recorded. An order could also demand that
      something be recorded from then on. We give out nothing about a person without a valid order,
      and no more than it compels.
    </p>
    <h3>Your own words</h3>
    <p>
      Colleagues may know you by a story, a date, a number that few people have, a turn of phrase.
      Posts under different pseudonyms can be compared by their style. The hour of a post says
      something too. Leave out what only you could know, change what does not matter, and let a day
      pass before you write about it.
    </p>
    <h3>The network and the device you use</h3>
    <p>
      An employer’s network can see that this site was visited, and an employer’s device may see
      everything that happens on it. Use your own of both.
    </p>
  </>
)

/** The dialog that the footer opens too; this page has no footer. */
function ChangeOfMind() {
  const [isOpen, setOpen] = useState(false)
  return (
    <p className="no-js:hidden">
      You can change your mind at any time:{' '}
      <button
        type="button"
        aria-haspopup="dialog"
        {...PreferencesDialog.preload}
        onClick={() => setOpen(true)}
        className={linkLook}
      >
        {DIALOG_TEXTS.open}
      </button>
      <PreferencesDialog open={isOpen} onOpenChange={setOpen} />
    </p>
  )
}

const Cookies = () => (
  <>
    <p>
      The site itself sets no cookies. What it remembers on your side is kept in your browser’s
      local storage, without asking you, because what you do would not work without it; it is
      written when you do it, and nobody else reads it. You can look at it, and clear it, in your
      browser’s settings:
    </p>
    <ul>
      <li>
        <code>theme</code>: light or dark, if you chose;
      </li>
      <li>
        <code>anonymousUserId</code>: the secret described above;
      </li>
      <li>
        <code>kettle-holder:…</code>, <code>kettle-badges:…</code> and <code>kettle-rated:…</code>:
        the secret that you rate with, your badges, and what you rated; they stay when you sign out,
        as without them you could not change what you gave, and go when you delete your account;
      </li>
      <li>
        <code>kettle-my-ratings:…</code>, <code>kettle-shared:…</code> and <code>kettle-quiet</code>
        : which notes you found helpful, as we told your browser last; whether another device has
        the same secret; and which company you rate just now, so that your browser does not name it
        beside who you are. They go with your account, the last within the hour;
      </li>
      <li>
        <code>kettle-handed-over</code>: what you rated until it is sent, with a service worker that
        sends it if you close the page sooner, where your browser can do that; both go once it’s
        sent;
      </li>
      <li>
        <code>userRequestEmail</code>: an address that you left with a company request;
      </li>
      <li>
        <code>kettle-draft:…</code> and <code>kettle-contact:…</code>: what you began to write,
        until it is sent or discarded; the contact form’s goes when you close the tab;
      </li>
      <li>
        <code>cookieConsent</code> and <code>cookiePreferences</code>: what you agreed to;
      </li>
      <li>
        <code>last_build_time</code>: which version of the site you saw last;
      </li>
      <li>
        <code>moderationKeys</code>: whether a moderator’s queue listens to single keys;
      </li>
      <li>
        <code>isAdmin</code>: whether to show an administrator’s menus; it grants nothing;
      </li>
      <li>
        <code>kettle-signup</code>: from signing up until you sign in, so that the link in our mail
        knows your browser again;
      </li>
      <li>
        <code>kettle-signup-page</code>: from signing up until your address is confirmed, the page
        you were on, so that the link leads back there; the mail does not say it;
      </li>
      <li>
        <code>finderSlash</code>: whether “/” opens the search, if you switched that off;
      </li>
      <li>
        <code>listChoices</code>: which threads you hid, which companies and topics you muted, and
        which topics you follow;
      </li>
      <li>while you are signed in, the keys of your session.</li>
    </ul>
    <p>
      Everything else waits for your answer in the cookie banner: until then, and if you reject,
      nothing optional is set and nothing from others loads. You can allow analytics, preference and
      marketing cookies one by one. Of our own, two are optional, while preferences are allowed:{' '}
      <code>recentSearches</code>, what you looked for lately, and
      <code>readThreads</code>, what you read and when you were here before. They never leave your
      browser; the search and the list of discussions have a button that clears them.
    </p>
    <p>
      Analytics is off unless two things are true: an analytics provider is set up for this site,
      and you agreed to it. Only then does your browser load the provider’s code, which sets cookies
      of its own and tells the provider which pages you open, when, and from which address. As any
      code in a page it could also read what the page holds. If you would rather not have that
      beside what you write, leave it off. Rejecting costs you nothing. When you take your consent
      back, the provider’s counting stops at once, its cookies are removed, and its code does not
      load again.
    </p>
    <ChangeOfMind />
  </>
)

const Sharing = () => (
  <>
    <p>We do not sell or rent what we know about you. It leaves us only like this:</p>
    <ul>
      <li>
        <strong>What you publish is public.</strong> Anyone can read and copy it, search engines
        included.
      </li>
      <li>
        <strong>Those who carry the site.</strong> The company whose machines it runs on carries its
        traffic, and whoever delivers our mail sees the address it goes to. What their own machines
        record is beyond our control.
      </li>
      <li>
        <strong>An analytics provider,</strong> if there is one and you agreed.
      </li>
      <li>
        <strong>Courts,</strong> within the bounds described above.
      </li>
    </ul>
    <p>
      Employers read what every visitor reads. People who act for a company also see totals about
      it: each of at least five people, counted when its weeks are over, so that nobody can be
      picked out.
    </p>
  </>
)

const HowLong = () => (
  <p>
    Posts stay until their author deletes them or a moderator removes them, and a rating until the
    publication after you take it back. Deleting a thread deletes its comments. Account data stays
    as long as the account. Messages and requests stay on record until they are erased; ask, and we
    erase yours. A contact message that we delete is gone for good {DELETED_DAYS} days later. The
    log of what administrators did keeps the usernames of accounts that they deleted. Backups can
    hold something for a while after it is gone from the site.
  </p>
)

const Rights = () => (
  <>
    <p>
      Wherever you live, you may ask us what we keep about you, get a copy, have it corrected or
      deleted, and object to a use of it. Write to <MailLink to="privacy" /> from the address of
      your account, so that we know it is yours. To answer, we compute your author keys on that
      occasion. If you want your account deleted, say whether what you wrote should go with it. What
      you rated only your browser finds: take it back there before, or delete the account there.
    </p>
    <p>
      For posts without an account we cannot tell whose they are. The browser that wrote them can
      delete them, as long as it has its secret.
    </p>
    <p>
      You may withdraw a consent whenever you like, and complain to the data protection authority
      where you live.
    </p>
  </>
)

const Children = () => (
  <p>
    The site is for people of {MINIMUM_AGE} and older. If you are under {MINIMUM_AGE}, please make
    no account and post nothing. We do not knowingly keep data of children under {MINIMUM_AGE}: if
    you believe that a child has written here or has an account, tell <MailLink to="privacy" /> and
    we delete it.
  </p>
)

const Updates = () => (
  <p>
    This policy is in force since {EFFECTIVE.text}. When what we keep changes, so does this text,
    and the date at the top with it. If a change gives you less privacy than before, we say so on
    the site and do not hide it in a paragraph.
  </p>
)

const Contact = () => (
  <>
    <ul>
      <li>
        Privacy, and your rights: <MailLink to="privacy" />
      </li>
      <li>
        Legal matters and court orders: <MailLink to="legal" />
      </li>
      <li>
        Press: <MailLink to="press" />
      </li>
    </ul>
    <p>
      What you may and may not write here is in the{' '}
      <a href="/terms" className={linkLook}>
        Terms of Service
      </a>
      .
    </p>
  </>
)
