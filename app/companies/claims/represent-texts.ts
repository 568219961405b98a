/** The section of the settings for those who act for a company. No I/O here. */

export const REPRESENT_TEXTS = {
  title: 'I represent a company',
  text: 'Reply as the company and see how it is talked about. Only colleagues who act for it are shown that it is you.',
  unconfirmed: 'We have to be sure of your account’s own email first. Confirm it under',
  start:
    'Show that you belong to a company, by work email or by a DNS record. We look at each claim.',
  add: 'Represent a company',
  addAnother: 'Represent another company',
} as const

/** On each company's page, whether or not anybody acts for it: that is nobody else's to know. */
export const YOURS = {
  link: 'Is this your company?',
  text: 'Whoever speaks for it can answer here in its name.',
} as const

/** Where somebody says that they act for a company. @param settings where those are  @param company its id, if it is known */
export const representAddress = (settings: string, company?: string) =>
  `${settings}${company ? `?${new URLSearchParams({ company })}` : ''}#represent`
