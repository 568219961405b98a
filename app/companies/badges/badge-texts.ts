/** What the screens say of badges. */

export const worksAt = (company: string) => `Works at ${company}`

/** Beside ratings, which stand on the company's own page. */
export const VERIFIED = 'Verified employee'

/** Beside one's own post, while others do not see it. */
export const BADGE_WAITS = 'Badge: not enough colleagues yet'

/** Of one's own rating. */
export const RATING_BADGE = {
  shown: 'It says that a verified employee gave it.',
  waits:
    'It has your badge. Not enough colleagues have one yet, so for now nobody else sees that an employee gave it.',
}

/** Beside the box that shows it with a rating. */
export const BADGE_HINT =
  'Still nobody learns who you are, but it is one of those who have this badge: you have fewer people to hide among.'

export const BADGE_FORM = {
  title: 'Show that you work there',
  text: 'A badge says “Works at …” beside a rating or a post, where you want it, and never who you are. It is shown once ten colleagues have one.',
  email: 'Work email',
  emailHint:
    'We send one link there and keep the address nowhere, only a mark that it was used this quarter.',
  warning:
    'Your employer can see that a mail from us came, and can read it. It does not say which account asked.',
  noCompany: 'Choose a company first',
  send: 'Send the link',
  sending: 'Sending...',
  sent: 'Look into your work mail',
  sentText: (domain: string) =>
    `A link is on its way to your address at ${domain}. Open it here, in this browser: you can copy it from the other device. It works for a day, and only while you are signed in with this account.`,
}

export const BADGE_LINK = {
  title: 'Your badge',
  text: 'Your browser gets it now and keeps it. Our database notes that this address has a badge this quarter, not who you are.',
  keep: 'Keep the badge in this browser',
  keeping: 'Getting it...',
  kept: (company: string) => `You can show that you work at ${company} now`,
  keptText:
    'Tick the box where you rate or write. In your settings you see until when it is good, and can forget it.',
}

export const OWN_BADGES = {
  none: 'With a badge you can show that you work at a company, beside what you rate or write.',
  get: 'Get a badge',
  until: (day: string) => `Good until ${day}`,
  renew: 'Get the next one',
  forget: 'Forget',
  devices:
    'A badge stays in this browser. Another device can have one next quarter, when the address is confirmed again.',
}
