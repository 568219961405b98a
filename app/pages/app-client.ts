/** The typed way to every endpoint of the site. */
import type { Client } from '../api/client.ts'
import type { MyPageContract } from '../features/account-pages/my-page.contract.ts'
import type { AccountContract } from '../features/accounts/account.contract.ts'
import type { AdministrationContract } from '../features/administration/administration.contract.ts'
import type { BadgeContract } from '../features/badges/badge.contract.ts'
import type { ClaimContract } from '../features/claims/claim.contract.ts'
import type { SeatContract } from '../features/claims/seats/seat.contract.ts'
import type { CompanyContract } from '../features/companies/company.contract.ts'
import type { EditContract } from '../features/companies/edits/edit-company.contract.ts'
import type { ContactContract } from '../features/contact/contact.contract.ts'
import type { CredentialContract } from '../features/credentials/credential.contract.ts'
import type { DashboardContract } from '../features/dashboard/dashboard.contract.ts'
import type { DiscussionContract } from '../features/discussions/discussion.contract.ts'
import type { FollowContract } from '../features/following/follow.contract.ts'
import type { HomeContract } from '../features/home/home.contract.ts'
import type { JobContract } from '../features/jobs/job.contract.ts'
import type { SavedJobContract } from '../features/jobs/saved/saved-job.contract.ts'
import type { ModerationContract } from '../features/moderation/moderation.contract.ts'
import type { NotificationContract } from '../features/notifications/notification.contract.ts'
import type { RatingContract } from '../features/ratings/rating.contract.ts'
import type { ReplyContract } from '../features/replies/reply.contract.ts'
import type { ReportContract } from '../features/reports/report.contract.ts'
import type { RequestContract } from '../features/requests/request.contract.ts'
import type { RoomContract, RoomReportContract } from '../features/rooms/room.contract.ts'
import type { ScrapingContract } from '../features/scraping/scraping.contract.ts'
import type { TrackingContract } from '../features/tracking/tracking.contract.ts'
import type { SiteContract } from '../session/site.contract.ts'

export type AppContract = SiteContract &
  CompanyContract &
  AccountContract &
  DiscussionContract &
  RatingContract &
  EditContract &
  TrackingContract &
  ReportContract &
  ModerationContract &
  FollowContract &
  NotificationContract &
  RequestContract &
  ContactContract &
  AdministrationContract &
  ScrapingContract &
  ClaimContract &
  SeatContract &
  ReplyContract &
  JobContract &
  SavedJobContract &
  DashboardContract &
  HomeContract &
  MyPageContract &
  CredentialContract &
  BadgeContract &
  RoomContract &
  RoomReportContract
export type AppClient = Client<AppContract>
