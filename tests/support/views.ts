/** API responses for parts of pages that tests render without an API. */

import type { CompanyView } from '#app/companies/company.contract.ts'
import type { Me } from '#app/kit/session/session.contract.ts'
import type { ContactMessage } from '#app/office/contact/contact.contract.ts'

export const dana: Me = {
  role: 'member',
  userType: null,
  profile: { id: 'd', username: 'Dana', cred: 0, memberSince: '2026-03' },
  email: 'dana@people.example',
  newEmail: null,
  isEmailConfirmed: true,
  awaitsSecondFactor: false,
  needsSecondFactor: false,
  can: ['seeCompanySearch', 'seeDiscussionsLink'],
  whyNotRate: null,
}

/** A company that no one has written about. */
export const companyNamed = (name: string): CompanyView => ({
  id: crypto.randomUUID(),
  slug: null,
  name,
  category: 'Tea',
  description: null,
  logoUrl: null,
  demo: false,
  rating: null,
  threadCount: 0,
  commentCount: 0,
  recentCommentCount: 0,
  trending: false,
})

export const unreadMessage: ContactMessage = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Vera',
  email: 'vera@people.example',
  message: 'Hello',
  status: 'unread',
  createdAt: '2026-03-14T09:00:00Z',
  subject: 'general',
  answerBy: null,
  assignee: null,
  isMine: false,
  labels: [],
  links: [],
  answers: [],
}
