import { expect, test } from 'vitest'
import { isEmployer, navigationEntries } from './navigation.ts'

const flags = {
  enableCompanies: true,
  enableDiscussions: true,
  enableJobs: true,
  enableProfile: true,
  enableSettings: true,
  enableNotifications: true,
  enableAlerts: true,
  enableDashboard: true,
}
const names = (...given: Parameters<typeof navigationEntries>) =>
  navigationEntries(...given).map(({ name }) => name)

test('Spec §6: visitors and members find the discussions, employers do not', () => {
  const all = ['Companies', 'Discussions', 'Jobs']
  expect(names({ flags })).toEqual(all)
  expect(names({ flags }, { role: 'member', userType: null })).toEqual(all)
  expect(names({ flags }, { role: 'admin', userType: null })).toEqual(all)
  expect(names({ flags }, { role: 'employer', userType: null })).toEqual(['Companies', 'Jobs'])
  expect(names({ flags }, { role: 'member', userType: 'employer' })).toEqual(['Companies', 'Jobs'])
})

test('Spec §2.3: an entry is there only if its flag is on', () => {
  expect(names({ flags: { ...flags, enableJobs: false } })).toEqual(['Companies', 'Discussions'])
  expect(names({ flags: { ...flags, enableCompanies: false } })).toEqual(['Discussions', 'Jobs'])
})

test('decision 10: an employer is one by claim or by saying so', () => {
  expect(isEmployer()).toBe(false)
  expect(isEmployer({ role: 'member', userType: null })).toBe(false)
  expect(isEmployer({ role: 'member', userType: 'employer' })).toBe(true)
})
