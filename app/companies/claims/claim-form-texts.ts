/** The form of a claim. No I/O here. */

export const CLAIM_FORM_TEXTS = {
  /** What it costs, said before it is asked for. */
  warning:
    'An account that acts for a company reads and replies as the company. It does not post, vote or rate as a person any more. Use an account that you keep for work.',
  company: 'Company',
  companyHint: 'Which company do you represent?',
  noCompany: 'Please choose a company',
  method: 'How can you show that you belong to it?',
  mail: 'By work email',
  mailText: 'We send a link to your address at the company’s domain.',
  dns: 'By DNS record',
  dnsText: 'You add a TXT record to the domain of the company’s website.',
  workEmail: 'Work email',
  workEmailHint: 'Kept encrypted, only until we have decided. Others see at most its first letter.',
  note: 'Note for the administrators (optional)',
  noteHint: 'What you do at the company, for example.',
  send: 'Send claim',
  sending: 'Sending...',
  cancel: 'Cancel',
} as const
