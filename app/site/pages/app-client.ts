import type { Client } from '#app/api/client.ts'
import type { SharedEndpoints } from '#app/api/contract.ts'
import type { DiscussionContract } from '#app/community/discussions/discussion.contract.ts'
import type { CompanyReplyContract } from '#app/community/replies/reply.contract.ts'
import type { DecisionContract } from '#app/community/reports/decision.contract.ts'
import type { ReportContract } from '#app/community/reports/report.contract.ts'
import type { RoomContract, RoomReportContract } from '#app/community/rooms/room.contract.ts'
import type { BadgeContract } from '#app/companies/badges/badge.contract.ts'
import type { ClaimContract } from '#app/companies/claims/claim.contract.ts'
import type { SeatContract } from '#app/companies/claims/seats/seat.contract.ts'
import type { CompanyContract } from '#app/companies/company.contract.ts'
import type { EditContract } from '#app/companies/edits/edit-company.contract.ts'
import type { FollowContract } from '#app/companies/following/follow.contract.ts'
import type { RequestContract } from '#app/companies/requests/request.contract.ts'
import type { ScrapingContract } from '#app/companies/scraping/scraping.contract.ts'
import type { TrackingContract } from '#app/companies/tracking/tracking.contract.ts'
import type { AccountContract } from '#app/identity/accounts/account.contract.ts'
import type { InvitationContract } from '#app/identity/accounts/sign-up/invitation.contract.ts'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import type { JobContract, SavedJobContract } from '#app/jobs/job.contract.ts'
import type { SiteContract } from '#app/kit/session/session.contract.ts'
import type { ModerationContract } from '#app/moderation/moderation.contract.ts'
import type { NotificationContract } from '#app/moderation/notifications/notification.contract.ts'
import type { AdministrationContract } from '#app/office/administration/administration.contract.ts'
import type { ContactContract } from '#app/office/contact/contact.contract.ts'
import type { DashboardContract } from '#app/office/dashboard/dashboard.contract.ts'
import type { BenefitsContract } from '#app/ratings/benefits/benefits.contract.ts'
import type { InterviewContract } from '#app/ratings/interviews/interview.contract.ts'
import type { PayContract } from '#app/ratings/pay/pay.contract.ts'
import type { RatingContract } from '#app/ratings/rating.contract.ts'
import type { MyPageContract } from '../account-pages/account-pages.contract.ts'
import type { HomeContract } from '../home/home.contract.ts'
import type { SiteSettingsContract } from '../site-settings/site-settings.contract.ts'
import type { StaticPageContract } from '../static-pages/static-page.contract.ts'

export type AppContract = SiteContract &
  CompanyContract &
  AccountContract &
  InvitationContract &
  DiscussionContract &
  RatingContract &
  PayContract &
  InterviewContract &
  BenefitsContract &
  EditContract &
  TrackingContract &
  ReportContract &
  DecisionContract &
  ModerationContract &
  FollowContract &
  NotificationContract &
  RequestContract &
  ContactContract &
  AdministrationContract &
  ScrapingContract &
  ClaimContract &
  SeatContract &
  CompanyReplyContract &
  JobContract &
  SavedJobContract &
  DashboardContract &
  HomeContract &
  MyPageContract &
  StaticPageContract &
  SiteSettingsContract &
  CredentialContract &
  BadgeContract &
  RoomContract &
  RoomReportContract
export type AppClient = Client<AppContract>

export const SHARED_ENDPOINTS: SharedEndpoints<AppContract> = {
  'GET /api/v1/companies': true,
  'GET /api/v1/companies/categories': true,
  'GET /api/v1/companies/compare': true,
  'GET /api/v1/companies/highest-rated': true,
  'GET /api/v1/companies/recent': true,
  'GET /api/v1/companies/suggest': true,
  'GET /api/v1/companies/trending': true,
  'GET /api/v1/companies/by-slug/{slug}': true,
  'GET /api/v1/companies/{id}': true,
  'GET /api/v1/companies/{id}/interviews': true,
  'GET /api/v1/companies/{id}/notes': true,
  'GET /api/v1/companies/{id}/benefits': true,
  'GET /api/v1/companies/{id}/pay': true,
  'GET /api/v1/companies/{id}/ratings': true,
  'GET /api/v1/companies/{id}/topics': true,
  'GET /api/v1/jobs': true,
  'GET /api/v1/pay': true,
  'GET /api/v1/removals': true,
  'GET /api/v1/threads': true,
  'GET /api/v1/threads/{id}': true,
  'GET /api/v1/threads/{id}/comments': true,
}
