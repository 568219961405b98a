export const SET_UP_STEPS = ['address', 'mail', 'backup', 'factor', 'companies', 'rules'] as const
export type SetUpStep = (typeof SET_UP_STEPS)[number]

/** The site can't know these, so the owner confirms them. */
export const SAYABLE = ['backup', 'rules'] as const
export type SayableStep = (typeof SAYABLE)[number]

export const SET_UP_TEXTS: Record<
  SetUpStep,
  {
    title: string
    text: string
    /** A fragment refers to the person's settings, wherever they are. */
    href: string
    link: string
    say?: string
  }
> = {
  address: {
    title: 'Address',
    text: 'The site has its own domain name, with https.',
    href: '/admin-panel?section=data#set-address',
    link: 'How to set it',
  },
  mail: {
    title: 'Mail',
    text: 'Email delivery works.',
    href: '/admin-panel?section=data#set-mail',
    link: 'How to set it',
  },
  backup: {
    title: 'Backup',
    text: 'All data is copied to another machine every day.',
    href: '/admin-panel?section=data#set-backup',
    link: 'How to make one',
    say: 'We do it another way',
  },
  factor: {
    title: 'Second factor',
    text: 'Your account needs more than its password to log in.',
    href: '#two-step',
    link: 'Set it up',
  },
  companies: {
    title: 'Companies',
    text: 'The site has real companies and no made-up ones.',
    href: '/admin-tools',
    link: 'Add companies',
  },
  rules: {
    title: 'Rules',
    text: 'You’ve read the community rules and agree with them.',
    href: '/community-rules',
    link: 'Read them',
    say: 'I’ve read them',
  },
}
