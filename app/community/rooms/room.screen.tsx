/** A company's room, for people with its badge. D65. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { BADGE_PATH } from '#app/companies/badges/badge.ts'
import { useBadges } from '#app/companies/badges/kept-badges.data.ts'
import type { CompanyContract, CompanyPageView } from '#app/companies/company.contract.ts'
import { companyQuery } from '#app/companies/company.data.ts'
import { companyPath } from '#app/companies/company.ts'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { Nowhere } from '#app/kit/session/nowhere.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { PageHead } from '#app/kit/session/site.tsx'
import { buttonLook } from '#app/kit/ui/button.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { EmptyState, LoadError } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { ROOM, roomPath, roomTitle } from './room.ts'
import { badgeFor } from './room-door.data.ts'
import { RoomThreadView } from './ui/room-thread.tsx'
import { RoomThreads } from './ui/room-threads.tsx'

export default function RoomScreen({ companySlug = '', threadId }: RoomScreenProps) {
  const api = useApi<CompanyContract>()
  const { data: company, error, refetch } = useQuery(companyQuery(api, companySlug))
  if ((error as { status?: number } | null)?.status === 404) return <Nowhere />
  if (error) return <LoadError isPage text={error.message} onRetry={refetch} />
  const title = roomTitle(company?.name ?? 'a company')
  return (
    <>
      <PageHead title={title} text={ROOM.text} />
      <MembersOnly title={title} text={ROOM.text}>
        {() =>
          company ? (
            <Room company={company} threadId={threadId} />
          ) : (
            <div className="mx-auto w-full max-w-3xl px-5 py-12" aria-busy="true">
              <Skeleton className="h-12 w-72" />
            </div>
          )
        }
      </MembersOnly>
    </>
  )
}

function Room({ company, threadId }: { company: CompanyPageView; threadId: string | undefined }) {
  const badges = useBadges(useSessionKey())
  const badge = badgeFor(badges, company)
  const path = companyPath(company)
  const door = badge && { companyId: company.id, badge }
  const home = roomPath(company)
  return (
    <div className="mx-auto w-full max-w-3xl px-5 py-8 md:py-12">
      <p className="text-sm">
        <a href={door && threadId ? home : path} className={linkLook}>
          {door && threadId ? 'Back to the room' : `Back to ${company.name}`}
        </a>
      </p>
      {door && threadId ? (
        <RoomThreadView door={door} threadId={threadId} home={home} />
      ) : (
        <>
          <h1
            dir="auto"
            className="mt-2 font-serif text-4xl leading-tight font-medium tracking-tight text-balance md:text-5xl"
          >
            {roomTitle(company.name)}
          </h1>
          <p className="mt-3 max-w-prose leading-relaxed text-pretty text-ink-soft">{ROOM.text}</p>
          {door ? (
            <RoomThreads door={door} home={home} />
          ) : (
            <EmptyState
              title={ROOM.badgeTitle}
              text={ROOM.badgeText(company.name)}
              action={
                <a href={`${BADGE_PATH}?company=${company.id}`} className={buttonLook()}>
                  {ROOM.getBadge}
                </a>
              }
            />
          )}
        </>
      )}
    </div>
  )
}

interface RoomScreenProps {
  companySlug?: string
  threadId?: string
}
