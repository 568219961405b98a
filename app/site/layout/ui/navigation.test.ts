import { expect, test } from 'vitest'
import { type Role, visitor } from '#app/api/auth/actor.ts'
import { permissionsOf } from '#app/api/auth/permissions.ts'
import { navigationEntries } from './navigation.ts'

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
/** For someone with this role, and this user type in their profile. */
const of = (role: Role, userType: 'employer' | null = null) =>
  names({ flags }, { can: permissionsOf({ ...visitor, role, userType }) })

test('Spec §6: visitors and members find the discussions, and employers don’t', () => {
  const all = ['Companies', 'Discussions', 'Jobs']
  expect(names({ flags })).toEqual(all)
  expect(of('member')).toEqual(all)
  expect(of('admin')).toEqual(all)
  expect(of('employer')).toEqual(['Companies', 'Jobs'])
})

test('S10: a member who only says she’s an employer has an employer’s menus, and ada keeps all', () => {
  expect(of('member', 'employer')).toEqual(['Companies', 'Jobs'])
  expect(of('admin', 'employer')).toEqual(['Companies', 'Discussions', 'Jobs'])
})

test('Spec §2.3: the menu has an entry only if its flag is on', () => {
  expect(names({ flags: { ...flags, enableJobs: false } })).toEqual(['Companies', 'Discussions'])
  expect(names({ flags: { ...flags, enableCompanies: false } })).toEqual(['Discussions', 'Jobs'])
})
