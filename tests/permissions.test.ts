/** Spec §6: screens show a button by a permission, and its endpoint requires the same one. */
import { expect, test } from 'vitest'
import { ACCESS, GENERAL_PERMISSIONS, type Permission } from '#app/api/auth/permissions.ts'
import type { Policy } from '#app/api/contract.ts'
import { decisionContract } from '#app/community/reports/decision.contract.ts'
import { companyContract } from '#app/companies/company.contract.ts'
import { editContract } from '#app/companies/edits/edit-company.contract.ts'
import { addedCompanyContract } from '#app/companies/importing/imports.contract.ts'
import { mergeContract } from '#app/companies/merging/merge.contract.ts'
import { requestContract } from '#app/companies/requests/request.contract.ts'
import { trackingContract } from '#app/companies/tracking/tracking.contract.ts'
import { credentialContract } from '#app/identity/credentials/credential.contract.ts'
import { administrationContract } from '#app/office/administration/administration.contract.ts'
import { contactContract } from '#app/office/contact/contact.contract.ts'

/** Permissions for menus, for what a screen shows, and for what a command or a route without a contract checks itself. */
type WithoutEndpoint =
  | 'browseCompanies'
  | 'seeCompanySearch'
  | 'seeDiscussionsLink'
  | 'seeViewCounts'
  | 'openAdminTools'
  | 'runAdminTools'
  | 'removeReplies'

const ENDPOINTS: Record<Exclude<Permission, WithoutEndpoint>, Policy> = {
  readContactMessages: contactContract['GET /api/v1/contact-messages'],
  addCompany: addedCompanyContract['POST /api/v1/company-additions'],
  manageCompanyRequests: requestContract['GET /api/v1/company-requests'],
  openAdminPanel: administrationContract['GET /api/v1/administration/stats'],
  openTracking: trackingContract['GET /api/v1/interactions'],
  manageAccounts: administrationContract['GET /api/v1/administration/users'],
  editCompanies: editContract['POST /api/v1/company-edits/{id}/accept'],
  deleteCompanies: companyContract['DELETE /api/v1/companies/{id}'],
  mergeCompanies: mergeContract['POST /api/v1/companies/{id}/merge'],
  moderate: decisionContract['POST /api/v1/moderation/posts/{kind}/{id}/remove'],
  rate: credentialContract['POST /api/v1/my/credential'],
  suspendAuthors: decisionContract['POST /api/v1/moderation/posts/{kind}/{id}/suspend'],
}

test.each(Object.entries(ENDPOINTS))(
  '%s is what its endpoint requires',
  (permission, { access }) => {
    expect(GENERAL_PERMISSIONS[permission as Permission]).toBe(ACCESS[access].allows)
  },
)
