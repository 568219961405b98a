export const worksAt = (company: string) => `Works at ${company}`

/** On ratings, which are on the company's own page. */
export const VERIFIED = 'Verified employee'

/** Shown to the author while others don't see it. */
export const BADGE_WAITS = 'Badge: not enough colleagues yet'

export const RATING_BADGE = {
  shown: 'It’s marked as from a verified employee.',
  waits:
    'It has your badge. Not enough colleagues have one yet, so for now no one else sees that it’s from an employee.',
}

export const BADGE_HINT =
  'No one learns who you are, but you’re one of those with this badge, so there are fewer people to hide among.'

export const BADGE_FORM = {
  title: 'Show that you work there',
  text: 'A badge shows “Works at …” next to a rating or post, where you choose, and never who you are. It appears once ten colleagues have one.',
  email: 'Work email',
  emailHint:
    'We send one link there. We don’t keep the address, only a mark that it was used this quarter.',
  warning:
    'Your employer can see that an email from us came, and can read it. It doesn’t say which account asked.',
  noCompany: 'Choose a company first',
  send: 'Send the link',
  sending: 'Sending...',
  sent: 'Check your work email',
  sentText: (domain: string) =>
    `We’ve sent a link to your address at ${domain}. Open it here, in this browser. You can copy it from another device. It works for a day, and only while you’re logged in to this account.`,
}

export const BADGE_LINK = {
  title: 'Your badge',
  text: 'Your browser gets it now and keeps it. Our database records that this address has a badge this quarter, not who you are.',
  keep: 'Keep the badge in this browser',
  keeping: 'Getting it...',
  kept: (company: string) => `You can now show that you work at ${company}`,
  keptText:
    'Tick the box when you rate or write. Your settings show when it expires, and you can forget it there.',
}

export const OWN_BADGES = {
  none: 'With a badge you can show that you work at a company, next to what you rate or write.',
  get: 'Get a badge',
  until: (day: string) => `Valid until ${day}`,
  renew: 'Get the next one',
  forget: 'Forget',
  devices:
    'A badge stays in this browser. Another device can have one next quarter, when you confirm the address again.',
}
