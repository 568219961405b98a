/** What an owner sees to before people come. Runs in the browser too: no I/O here. */

export const SET_UP_STEPS = ['address', 'mail', 'backup', 'factor', 'companies', 'rules'] as const
export type SetUpStep = (typeof SET_UP_STEPS)[number]

/** Of these the site cannot know: the owner says so. */
export const SAYABLE = ['backup', 'rules'] as const
export type SayableStep = (typeof SAYABLE)[number]

export const SET_UP_WORDS: Record<
  SetUpStep,
  {
    title: string
    text: string
    /** A fragment is of one's settings, wherever they are. */
    href: string
    link: string
    say?: string
  }
> = {
  address: {
    title: 'Address',
    text: 'People reach the site by a name of its own, with https.',
    href: '/admin-panel?section=data#set-address',
    link: 'How to set it',
  },
  mail: {
    title: 'Mail',
    text: 'A mail server takes the mails of this site.',
    href: '/admin-panel?section=data#set-mail',
    link: 'How to set it',
  },
  backup: {
    title: 'Backup',
    text: 'All that is stored is copied each day, to another machine.',
    href: '/admin-panel?section=data#set-backup',
    link: 'How to make one',
    say: 'We do it another way',
  },
  factor: {
    title: 'Second factor',
    text: 'Your account asks for more than its password.',
    href: '#two-step',
    link: 'Set it up',
  },
  companies: {
    title: 'Companies',
    text: 'Real companies are here, and no made-up ones.',
    href: '/admin-tools',
    link: 'Add companies',
  },
  rules: {
    title: 'Rules',
    text: 'You have read the rules that people write by, and stand by them.',
    href: '/community-rules',
    link: 'Read them',
    say: 'I have read them',
  },
}
